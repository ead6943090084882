import { dec } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { type Entry, writeTransactions } from '../../db/sql/ledger/write-transactions.ts';

/** Writes postings; amounts of zero are left out. A second run writes nothing. */
export async function post(tx: Queryable, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await writeTransactions(
    tx,
    entries.map((entry) => ({ ...entry, postings: entry.postings.filter(({ amount }) => !dec(amount).isZero()) })),
  );
}
