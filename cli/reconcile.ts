import type { Client, Connection } from '@temporalio/client';
import { iso } from '../billing/calendar/instant.ts';
import { howMany } from '../billing/how-many.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/connect.ts';
import { withProgress } from '../local-stack/log.ts';
import { planReconcile, reconcile, restartContracts } from '../temporal/reconcile.ts';
import type { CommandCall, RunCommand } from './run.ts';
import { withConfiguredDatabase } from './with-database.ts';
import { withConfiguredTemporal } from './with-temporal.ts';

export const runReconcile: RunCommand = (call) =>
  withConfiguredDatabase((db, config) =>
    withConfiguredTemporal(config, async (client, connection) => {
      const { dryRun, restart } = call.options;
      if (dryRun === true) await printPlan(call, db, client, connection);
      else {
        const restarted = restart === undefined ? null : await restartAll(call, db, config, client);
        await signalAll(call, db, config, client, connection, restarted);
      }
      return 0;
    }),
  );

interface Restarted {
  before: string;
  count: number;
}

/** The instant is printed first, with `--json` on the error stream: it is what a run that broke off goes on with. */
async function restartAll({ options, say, progress }: CommandCall, db: Database, config: Config, client: Client): Promise<Restarted> {
  const before = typeof options.restart === 'number' ? options.restart : Date.now();
  const first = options.json === true ? progress : say;
  first(`Runs of contracts from before ${iso(before)} get a new run. To go on where this breaks off: reconcile --restart ${iso(before)}`);
  let progressText = 'Looking for runs';
  const work = restartContracts(db, client, config.temporalTaskQueue, before, (restarted, total) => {
    progressText = `New runs: ${restarted} of ${howMany(total, 'contract')}`;
  });
  const count = await withProgress(progress, () => progressText, work);
  say(`${howMany(count, 'workflow')} of kind contract ${count === 1 ? 'has' : 'have'} a new run`);
  return { before: iso(before), count };
}

async function signalAll(
  { say, printResult, progress }: CommandCall,
  db: Database,
  config: Config,
  client: Client,
  connection: Connection,
  restarted: Restarted | null,
): Promise<void> {
  let progressText = 'Looking for what needs a workflow';
  const work = reconcile(db, client, connection, config.temporalTaskQueue, (kind, signalled, total) => {
    progressText = `${signalled} of ${howMany(total, 'workflow')} of kind ${kind} signalled`;
  });
  const { attributes, sent } = await withProgress(progress, () => progressText, work);
  if (attributes.length > 0) say(`Registered ${attributes.join(', ')}`);
  for (const { kind, count } of sent) {
    const [were, they] = count === 1 ? ['was', 'it'] : ['were', 'they'];
    say(`${howMany(count, 'workflow')} of kind ${kind} ${were} signalled, and started where ${they} did not run`);
  }
  printResult({ dry_run: false, search_attributes: attributes, signalled: sent, ...(restarted !== null && { restarted }) });
}

async function printPlan({ say, printResult, progress }: CommandCall, db: Database, client: Client, connection: Connection): Promise<void> {
  const { attributes, needed } = await withProgress(progress, 'Comparing Postgres with Temporal', planReconcile(db, client, connection));
  if (attributes.length > 0) say(`Would register ${attributes.join(', ')}`);
  for (const { kind, count, missing } of needed) {
    say(`${howMany(count, 'workflow')} of kind ${kind} would be signalled, ${missing.length} of them started`);
    for (const id of missing) say(`  ${id}`);
  }
  printResult({ dry_run: true, search_attributes: attributes, needed });
}
