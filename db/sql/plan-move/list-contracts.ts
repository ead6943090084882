import type { Queryable } from '../../connect.ts';

const SQL = `
  with page as (
    select c.id, c.created, c.status in ('not_ready', 'pending', 'scheduled', 'active') and not c.is_successor as is_live
    from contract c
    where c.vendor_id = $2 and c.plan_id = $3
      and ($4::text is null or (c.created, c.id) > (select l.created, l.id from contract l where l.id = $4))
    order by c.created, c.id limit $5
  ),
  added as (
    insert into plan_move_contract (move_id, contract_id) select $1, id from page where is_live
    on conflict do nothing returning contract_id
  )
  select (select count(*) from page)::int as read, (select count(*) from added)::int as added,
    (select id from page order by created desc, id desc limit 1) as last`;

/** A move whose contracts are being listed. */
interface Listing {
  moveId: string;
  vendorId: string;
  planId: string;
  /** the contract up to which they are listed; null: none yet */
  after: string | null;
}

/**
 * Adds the live contracts among the next `most` contracts of a plan to a move. SQL: one statement reads and writes
 * them, so that none of thousands of rows passes through the process.
 *
 * @returns how many contracts it has looked at, how many of them it has added, and the last one
 */
export async function listContracts(
  db: Queryable,
  { moveId, vendorId, planId, after }: Listing,
  most: number,
): Promise<{ read: number; added: number; last: string | null }> {
  const [row] = await db.query<{ read: number; added: number; last: string | null }>(SQL, [moveId, vendorId, planId, after, most]);
  return row ?? { read: 0, added: 0, last: null };
}
