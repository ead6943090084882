import type { BookedMrr } from '../../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

const SQL = `
  select distinct on (root_id, currency) root_id, currency, after, number
  from mrr_move where root_id = any($1::text[]) order by root_id, currency, number desc`;

/**
 * What is booked of chains, by chain. SQL: the last move of each currency, by the key that numbers them, for many
 * chains in one statement.
 */
export async function lastAmounts(tx: Queryable, rootIds: readonly string[]): Promise<Map<string, BookedMrr[]>> {
  const rows = await tx.query<{ root_id: string; currency: Currency; after: string; number: number }>(SQL, [rootIds]);
  const booked = new Map<string, BookedMrr[]>();
  for (const { root_id, currency, after, number } of rows) {
    booked.set(root_id, [...(booked.get(root_id) ?? []), { currency, amount: after, number }]);
  }
  return booked;
}
