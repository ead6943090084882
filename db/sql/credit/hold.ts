import type { Queryable } from '../../connect.ts';

/**
 * Keeps a part of grants that are locked for a payment gate, or with negative amounts lets it go. SQL, because the new
 * values follow from the rows themselves.
 */
export async function holdCredits(tx: Queryable, holds: readonly { grant: string; amount: string }[]): Promise<void> {
  if (holds.length === 0) return;
  await tx.query(
    `update credit_grant set held = held + x.amount
     from (select id, sum(amount) as amount from unnest($1::text[], $2::numeric[]) as u(id, amount) group by id) x where credit_grant.id = x.id`,
    [holds.map(({ grant }) => grant), holds.map(({ amount }) => amount)],
  );
}
