import type { Queryable } from '../connect.ts';
import type { ContractRecordRow } from '../mapping/contract.ts';

/** `none`: just read. `wait`: hold the rows, waiting for them. `skip`: hold those that are free, leave out the rest. */
export type Lock = 'none' | 'wait' | 'skip';

const TAIL: Record<Lock, string> = { none: '', wait: ' order by id for update', skip: ' order by id for update skip locked' };
const SHARE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for key share', skip: 'for key share skip locked' };

/**
 * The contracts' rows, locked in the one order used everywhere: customers first, then contracts, each by id. The customer is held against
 * a freeze (which takes the row `for update`), not against other changes of it.
 */
export async function contractRows(tx: Queryable, ids: readonly string[], lock: Lock): Promise<ContractRecordRow[]> {
  const all = 'select * from contract where id = any($1::text[])';
  if (lock === 'none') return tx.query(all, [ids]);
  const held = await tx.query<{ id: string }>(
    `select id from customer where id in (select customer_id from contract where id = any($1::text[])) order by id ${SHARE[lock]}`,
    [ids],
  );
  return tx.query(`${all} and customer_id = any($2::text[])${TAIL[lock]}`, [ids, held.map((row) => row.id)]);
}
