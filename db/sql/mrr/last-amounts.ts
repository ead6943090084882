import type { BookedMrr } from '../../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** From one currency to the next by the key: of moves that came before, none is read. */
const SQL = `
  select chain.root_id, last.currency, last.after, last.number
  from unnest($1::text[]) as chain(root_id)
  cross join lateral (
    with recursive latest as (
      select first.* from (
        select m.currency, m.after, m.number from mrr_move m where m.root_id = chain.root_id order by m.currency desc, m.number desc limit 1
      ) first
      union all
      select next.* from latest cross join lateral (
        select m.currency, m.after, m.number from mrr_move m where m.root_id = chain.root_id and m.currency < latest.currency
        order by m.currency desc, m.number desc limit 1
      ) next
    )
    select * from latest
  ) last
  order by chain.root_id, last.currency`;

/**
 * What is booked of chains, by chain. SQL: the last move of each currency, by the key that numbers them, for many
 * chains in one statement.
 */
export async function lastAmounts(tx: Queryable, rootIds: readonly string[]): Promise<Map<string, BookedMrr[]>> {
  const rows = await tx.query<{ root_id: string; currency: Currency; after: string; number: number }>(SQL, [[...new Set(rootIds)]]);
  const booked = new Map<string, BookedMrr[]>();
  for (const { root_id, currency, after, number } of rows) {
    booked.set(root_id, [...(booked.get(root_id) ?? []), { currency, amount: after, number }]);
  }
  return booked;
}
