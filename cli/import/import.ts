import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadVendorAccess } from '../../config/vendor-access.ts';
import { withProgress } from '../../local-stack/log.ts';
import { type CommandCall, CommandError, type RunCommand } from '../run.ts';
import { callApi, type ImportTarget, Refused } from './calls.ts';
import { addDryRun, NOTHING_TRIED, type ShownDryRun } from './dry-run.ts';
import { bodyOf, type LinePage, pagesOf } from './pages.ts';
import { printDryRun, printRefused, type ShownRefusal } from './print.ts';

/** An import as the API shows it. */
interface ImportState {
  id: string;
  status: 'open' | 'running' | 'stopped' | 'done';
  total: number;
  done: number;
  repeated: number;
  refused_total: number;
}

const LOOK_AGAIN_MS = 500;

/**
 * Imports a file: its lines are sent a page at a time, then the import is tried out or started, and followed to its
 * end. Lines that were imported before change nothing, so a command that has broken off can be given again.
 */
export const runImport: RunCommand = async ({ args: [file = ''], options, say, printResult, progress }: CommandCall) => {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? true) throw new CommandError(`there is no file ${file}`);
  const target = { ...loadVendorAccess(), progress };
  try {
    const id = await callApi<string>(target, 'POST', '/v1/c/import', '{}');
    await send(target, id, file);
    const refused =
      options.dryRun === true ? await tryOut(target, id, { say, printResult }) : await carryOut(target, id, { say, printResult });
    return refused === 0 ? 0 : 1;
  } catch (error) {
    throw error instanceof Refused ? new CommandError(error.message, { cause: error }) : error;
  }
};

type Printing = Pick<CommandCall, 'say' | 'printResult'>;

async function send(target: ImportTarget, id: string, file: string): Promise<void> {
  let sent = 0;
  const all = async (): Promise<void> => {
    for await (const page of pagesOf(file)) {
      await sendPage(target, id, page);
      sent = page.at(-1)?.number ?? sent;
    }
  };
  await withProgress(target.progress, () => `Sending the lines, ${sent}`, all());
}

/** A page with a line that no request may have, such as one with a field twice, is sent line by line. */
async function sendPage(target: ImportTarget, id: string, page: LinePage): Promise<void> {
  try {
    await callApi(target, 'POST', `/v1/c/import/${id}/lines`, bodyOf(page));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    const [only] = page;
    if (only === undefined || page.length > 1) {
      for (const line of page) await sendPage(target, id, [line]);
      return;
    }
    await callApi(target, 'POST', `/v1/c/import/${id}/lines`, bodyOf([{ number: only.number, text: JSON.stringify(error.message) }]));
  }
}

/** @returns how many lines would be refused */
async function tryOut(target: ImportTarget, id: string, { say, printResult }: Printing): Promise<number> {
  let sum: ShownDryRun = NOTHING_TRIED;
  const all = async (): Promise<void> => {
    for (let after: number | null = null; ; ) {
      const place: string = after === null ? '' : `&after=${after}`;
      const part: ShownDryRun = await callApi(target, 'POST', `/v1/c/import/${id}/start?dry_run=true${place}`, '{}');
      sum = addDryRun(sum, part);
      after = part.after;
      if (after === null) return;
    }
  };
  await withProgress(target.progress, () => `Trying the lines out, ${sum.made.customers + sum.made.contracts + sum.made.wallets}`, all());
  await callApi(target, 'POST', `/v1/c/import/${id}/discard`, '{}');
  printDryRun(say, sum);
  const { after: _, ...result } = sum;
  printResult(result);
  return sum.refused.length;
}

/** @returns how many lines are refused */
async function carryOut(target: ImportTarget, id: string, { say, printResult }: Printing): Promise<number> {
  let state: ImportState = await callApi(target, 'POST', `/v1/c/import/${id}/start`, '{}');
  const followed = async (): Promise<void> => {
    while (state.status === 'running') {
      await pause(LOOK_AGAIN_MS);
      state = await callApi(target, 'GET', `/v1/c/import/${id}`);
    }
  };
  await withProgress(
    target.progress,
    () => `Importing, ${state.done + state.repeated + state.refused_total} of ${state.total} lines`,
    followed(),
  );
  say(`${id}: ${state.done} lines imported, ${state.repeated} were before, ${state.refused_total} refused; it is ${state.status}`);
  const refused = await refusedLines(target, id);
  printRefused(say, refused);
  printResult({ ...state, refused });
  return state.refused_total;
}

async function refusedLines(target: ImportTarget, id: string): Promise<ShownRefusal[]> {
  const lines: ShownRefusal[] = [];
  for (let offset: string | null = ''; offset !== null; ) {
    const place: string = offset === '' ? '' : `&offset=${offset}`;
    const page: { hits: ShownRefusal[]; forward: string | null } = await callApi(
      target,
      'GET',
      `/v1/c/import/${id}/refused?limit=100${place}`,
    );
    lines.push(...page.hits);
    offset = page.forward;
  }
  return lines;
}
