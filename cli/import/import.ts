import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { howMany } from '../../billing/how-many.ts';
import type { Import, ImportDryRun, ImportRefusedLinePage, ImportStarted } from '../../client/src/index.ts';
import { type Log, withProgress } from '../../local-stack/log.ts';
import { allOf, answer, type VendorApi, vendorApi } from '../connection/api.ts';
import { untilAnswered } from '../connection/until-answered.ts';
import { type CommandCall, CommandError, type RunCommand } from '../run.ts';
import { untilStopped } from '../until-stopped.ts';
import { addDryRun, NOTHING_TRIED, type ShownDryRun } from './dry-run.ts';
import { printDryRun, printRefused, withReason } from './print.ts';
import { sendLines, type Unsent } from './send.ts';

/** The API that lines are sent to, and where it is said that they wait for it. */
export interface ImportTarget extends VendorApi {
  stopped: AbortSignal;
  progress: Log;
}

type Printing = Pick<CommandCall, 'say' | 'printResult'>;

const LOOK_AGAIN_MS = 500;

/**
 * Imports a file: its lines are sent a page at a time, then the import is tried out or started, and followed to its
 * end. While the server is away each call waits for it. Broken off, it goes on with `--resume`.
 */
export const runImport: RunCommand = async (call) => {
  const {
    args: [file = ''],
    options,
    progress,
  } = call;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? true) throw new CommandError(`there is no file ${file}`);
  const api = vendorApi();
  let id = options.resume as string | undefined;
  const refused = await untilStopped(async ({ stopped }) => {
    const target = { ...api, stopped, progress };
    id ??= await createImport(target);
    if (options.dryRun === true) return tryOut(target, id, file, call);
    progress(`The import is ${id}. Broken off, it goes on with: import ${file} --resume ${id}`);
    return carryOut(target, id, file, call);
  });
  if (refused === null) throw new CommandError(stoppedText(file, id, options.dryRun === true));
  return refused === 0 ? 0 : 1;
};

function stoppedText(file: string, id: string | undefined, isDryRun: boolean): string {
  if (id === undefined) return 'Stopped before an import was made.';
  return isDryRun ? `Stopped. Nothing is imported; ${id} is dropped by itself.` : `Stopped. To go on: import ${file} --resume ${id}`;
}

/** Each call waits for the server; one that is repeated under its key has its effect once. */
const made = <T>(target: ImportTarget, call: (options: { signal: AbortSignal; idempotencyKey: string }) => Promise<T>): Promise<T> => {
  const options = { signal: target.stopped, idempotencyKey: randomUUID() };
  return untilAnswered(() => answer(call(options)), target);
};

const createImport = (target: ImportTarget): Promise<string> => made(target, (options) => target.api.createImport(options));

async function sendAll(target: ImportTarget, id: string, file: string): Promise<Unsent> {
  let sent = 0;
  const all = sendLines(target, id, file, (line) => {
    sent = line;
  });
  return withProgress(target.progress, () => `Sending the lines, ${sent}`, all);
}

/** @returns how many lines would be refused */
async function tryOut(target: ImportTarget, id: string, file: string, { say, printResult }: Printing): Promise<number> {
  const unsent = await sendAll(target, id, file);
  let sum: ShownDryRun = NOTHING_TRIED;
  const all = async (): Promise<void> => {
    for (let after: number | null = null; ; ) {
      const query = { dry_run: 'true' as const, ...(after === null ? {} : { after: String(after) }) };
      const part = dryRunOf(await made(target, (options) => target.api.startImport(id, { ...options, query })));
      sum = addDryRun(sum, part);
      after = part.after;
      if (after === null) return;
    }
  };
  await withProgress(target.progress, () => `Trying the lines out, ${sum.made.customers + sum.made.contracts + sum.made.wallets}`, all());
  await made(target, (options) => target.api.discardImport(id, options));
  sum = { ...sum, refused: sum.refused.map((line) => withReason(line, unsent)) };
  printDryRun(say, sum);
  const { after: _, ...result } = sum;
  printResult(result);
  return sum.refused.length;
}

function dryRunOf(started: ImportStarted): ImportDryRun {
  if ('recurring' in started) return started;
  throw new CommandError('the server has started the import in place of trying it out');
}

/** @returns how many lines are refused */
async function carryOut(target: ImportTarget, id: string, file: string, { say, printResult }: Printing): Promise<number> {
  let { state, unsent } = await begun(target, id, file);
  const followed = async (): Promise<void> => {
    while (state.status === 'running') {
      await pause(LOOK_AGAIN_MS, undefined, { signal: target.stopped });
      state = await stateOf(target, id);
    }
  };
  const text = (): string => `Importing, ${state.done + state.repeated + state.refused_total} of ${howMany(state.total, 'line')}`;
  await withProgress(target.progress, text, followed());
  const { done, repeated, refused_total, status } = state;
  const before = `${repeated} ${repeated === 1 ? 'was' : 'were'} imported before`;
  say(`${id}: ${howMany(done, 'line')} imported, ${before}, ${refused_total} refused; it is ${status}`);
  const refused = (await refusedLines(target, id)).map((line) => withReason(line, unsent));
  printRefused(say, refused);
  printResult({ ...state, refused });
  return state.refused_total;
}

const stateOf = (target: ImportTarget, id: string): Promise<Import> =>
  untilAnswered(() => answer(target.api.getImport(id, { signal: target.stopped })), target);

/** An import under way, whether it is new, was broken off while its lines were sent, or was stopped. */
async function begun(target: ImportTarget, id: string, file: string): Promise<{ state: Import; unsent: Unsent }> {
  const state = await stateOf(target, id);
  const unsent: Unsent = new Map();
  if (state.status === 'stopped') return { state: await made(target, (options) => target.api.resumeImport(id, options)), unsent };
  if (state.status !== 'open') return { state, unsent };
  const sent = await sendAll(target, id, file);
  await made(target, (options) => target.api.startImport(id, options));
  return { state: await stateOf(target, id), unsent: sent };
}

type RefusedLine = ImportRefusedLinePage['hits'][number];

const refusedLines = (target: ImportTarget, id: string): Promise<RefusedLine[]> =>
  untilAnswered(() => answer(allOf(target.api.listRefusedOfImport(id, { limit: 100 }, { signal: target.stopped }))), target);
