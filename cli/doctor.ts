import { withProgress } from '../local-stack/log.ts';
import { notRunning } from '../temporal/running.ts';
import { type DoctorCheck, doctorChecks, TABLES_ARE_THERE } from './doctor-checks.ts';
import type { CommandCall, RunCommand } from './run.ts';
import { withConfiguredDatabase } from './with-database.ts';
import { withConfiguredTemporal } from './with-temporal.ts';

export const runDoctor: RunCommand = (call) =>
  // some checks add up all that there is
  withConfiguredDatabase(
    (db, config) =>
      withConfiguredTemporal(config, (client) =>
        report(
          call,
          doctorChecks(db, (ids) => notRunning(client, ids)),
        ),
      ),
    'patient',
  );

/** Prints a line for each check and its findings, and returns the exit code. */
async function report({ say, printResult, progress }: CommandCall, checks: readonly DoctorCheck[]): Promise<number> {
  const outcomes: { check: string; ok: boolean; findings: string[]; remedy: string | null }[] = [];
  for (const { asks, remedy, findings } of checks) {
    const found = await withProgress(progress, `Checking whether ${asks}`, findings());
    const ok = found.length === 0;
    outcomes.push({ check: asks, ok, findings: found, remedy: ok ? null : remedy });
    say(`${ok ? 'ok  ' : 'BAD '} ${asks}`);
    for (const line of found) say(`       ${line}`);
    if (ok) continue;
    say(`     → ${remedy}`);
    // the other checks would fail without the tables
    if (asks === TABLES_ARE_THERE) break;
  }
  const ok = outcomes.every((one) => one.ok);
  printResult({ ok, checks: outcomes });
  return ok ? 0 : 1;
}
