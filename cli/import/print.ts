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
  say(
    `would make ${made.customers} customers, ${made.contracts} contracts and ${made.wallets} wallets; ${repeated} lines were imported before`,
  );
  if (waiting > 0)
    say(`${waiting} lines wait for a test clock that advances: what they would make is not in here; try again when it is ready`);
  for (const { currency, cycle, contracts, total } of recurring)
    say(`${total} ${currency.toUpperCase()} each ${cycle}, by ${contracts} contracts`);
  for (const { currency, total } of balances) say(`${total} ${currency.toUpperCase()} in wallets`);
  printRefused(say, refused);
}

/** A row for each field that is to be corrected. */
export function printRefused(say: CommandCall['say'], refused: readonly ShownRefusal[]): void {
  if (refused.length === 0) return;
  say(`${refused.length} lines refused:`);
  const rows = refused.flatMap(({ line, code, problems }) =>
    problems.length === 0 ? [[`line ${line}`, code, '', '']] : problems.map(({ field, fix }) => [`line ${line}`, code, field, fix]),
  );
  for (const row of tableLines(rows)) say(row);
}
