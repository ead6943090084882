import type { Queryable } from '../../connect.ts';

/**
 * Locks the contracts of a contract's chain, its first one before the others: `for update` at once, since a correction
 * may have to write one of them. SQL, because one statement looks up the chain and locks it in order.
 *
 * @returns how many there are
 */
export async function lockChain(tx: Queryable, contractId: string): Promise<number> {
  const rows = await tx.query(
    `select id from contract where root_id = (select root_id from contract where id = $1) order by id <> root_id, id for update`,
    [contractId],
  );
  return rows.length;
}
