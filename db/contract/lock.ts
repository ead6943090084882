import type { Queryable } from '../connect.ts';
import type { ContractRecordRow } from '../mapping/contract.ts';

/** `none`: just read. `wait`: hold the rows, waiting for them. `skip`: hold those that are free, leave out the rest. */
export type Lock = 'none' | 'wait' | 'skip';

const SHARE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for key share', skip: 'for key share skip locked' };
const UPDATE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for update', skip: 'for update skip locked' };

/**
 * The contracts' rows, locked in the one order used everywhere: customers, then chains (the rows of their first
 * contracts), then contracts, each by id. The customer is held against a freeze (which takes the row `for update`), not
 * against other changes of it.
 */
export async function contractRows(tx: Queryable, ids: readonly string[], lock: Lock): Promise<ContractRecordRow[]> {
  if (lock === 'none') return tx.query('select * from contract where id = any($1::text[])', [ids]);
  const held = await tx.query<{ id: string }>(
    `select id from customer where id in (select customer_id from contract where id = any($1::text[])) order by id ${SHARE[lock]}`,
    [ids],
  );
  const rows = await tx.query<ContractRecordRow>(
    `select * from contract
     where (id = any($1::text[]) or id in (select root_id from contract where id = any($1::text[]))) and customer_id = any($2::text[])
     order by id <> root_id, id ${UPDATE[lock]}`,
    [ids, held.map((row) => row.id)],
  );
  const [wanted, locked] = [new Set(ids), new Set(rows.map(({ id }) => id))];
  return rows.filter(({ id, root_id }) => wanted.has(id) && locked.has(root_id));
}
