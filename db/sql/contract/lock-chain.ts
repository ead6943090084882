import type { Queryable } from '../../connect.ts';

/** One array, so that each row is found by its key. */
const SQL = `select c.id from contract c where c.id = any(array(
    select own.root_id from contract own where own.id = $1
    union select $1
    union select live.id from contract own join contract live on live.root_id = own.root_id and live.ended is null where own.id = $1))
  order by c.id <> c.root_id, c.id for update`;

/**
 * Locks a contract with its chain: the first contract of that, whose row is the lock of the chain, then the contract
 * and those that have not ended: `for update` at once, since a correction may have to write one of them. Nobody writes
 * the other ended contracts, however many of them changes have left. SQL, because one statement looks them up and locks
 * them in order.
 */
export async function lockChain(tx: Queryable, contractId: string): Promise<void> {
  await tx.query(SQL, [contractId]);
}
