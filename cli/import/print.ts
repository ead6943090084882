import { howMany } from '../../billing/how-many.ts';
import type { CommandCall } from '../run.ts';
import { tableLines } from '../table.ts';
import type { ShownDryRun } from './dry-run.ts';

/** A refused line, as the API shows it. */
export interface ShownRefusal {
  line: number;
  type: string;
  code: string;
  problems: { field: string; fix: string }[];
}

export function printDryRun(say: CommandCall['say'], { made, repeated, waiting, recurring, balances, refused }: ShownDryRun): void {
  const [customers, contracts] = [howMany(made.customers, 'customer'), howMany(made.contracts, 'contract')];
  const before = howMany(repeated, 'line was', 'lines were');
  say(`would make ${customers}, ${contracts} and ${howMany(made.wallets, 'wallet')}; ${before} imported before`);
  if (waiting > 0) {
    const lines = howMany(waiting, 'line waits', 'lines wait');
    say(`${lines} for a test clock that advances: what would be made then is not in here; try again when it is ready`);
  }
  for (const { currency, cycle, contracts: signed, total } of recurring)
    say(`${total} ${currency.toUpperCase()} each ${cycle}, by ${howMany(signed, 'contract')}`);
  for (const { currency, total } of balances) say(`${total} ${currency.toUpperCase()} in wallets`);
  printRefused(say, refused);
}

/** A row for each field that is to be corrected. */
export function printRefused(say: CommandCall['say'], refused: readonly ShownRefusal[]): void {
  if (refused.length === 0) return;
  say(`${howMany(refused.length, 'line')} refused:`);
  const rows = refused.flatMap(({ line, code, problems }) =>
    problems.length === 0 ? [[`line ${line}`, code, '', '']] : problems.map(({ field, fix }) => [`line ${line}`, code, field, fix]),
  );
  for (const row of tableLines(rows)) say(row);
}

/** The server knows of a line that could not be sent only that it is no object; the file tells more. */
export function withReason(refused: ShownRefusal, unsent: ReadonlyMap<number, string>): ShownRefusal {
  const fix = unsent.get(refused.line);
  return fix === undefined || refused.type !== 'unreadable' ? refused : { ...refused, problems: [{ field: 'line', fix }] };
}
