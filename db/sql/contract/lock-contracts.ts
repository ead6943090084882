import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { contractProjection } from '../projections.ts';
import { contractsByIds } from './by-ids.ts';

/** `none`: just read. `wait`: lock the rows, waiting for them. `skip`: lock those that are free, leave out the rest. */
export type Lock = 'none' | 'wait' | 'skip';

const SHARE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for key share', skip: 'for key share skip locked' };
const UPDATE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for update', skip: 'for update skip locked' };

/**
 * Contracts, locked in the one order used everywhere: customers, then chains (the rows of their first contracts), then
 * contracts, each by id. The customer is locked against a freeze (which takes the row `for update`), not against other
 * changes of it. SQL, because each advance and each change begins with it, and MikroORM can't lock rows in a given
 * order.
 */
export async function lockContracts(tx: Queryable, ids: readonly string[], lock: Lock): Promise<Contract[]> {
  if (lock === 'none') return contractsByIds(tx, ids);
  const customers = await tx.query<{ id: string }>(
    `select id from customer where id in (select customer_id from contract where id = any($1::text[])) order by id ${SHARE[lock]}`,
    [ids],
  );
  const rows = await tx.query(
    `select ${contractProjection.columns('c')} from contract c
     where (c.id = any($1::text[]) or c.id in (select root_id from contract where id = any($1::text[]))) and c.customer_id = any($2::text[])
     order by c.id <> c.root_id, c.id ${UPDATE[lock]}`,
    [ids, customers.map(({ id }) => id)],
  );
  const found = rows.map(contractProjection.read);
  const [wanted, locked] = [new Set(ids), new Set(found.map(({ id }) => id))];
  return found.filter(({ id, rootId }) => wanted.has(id) && locked.has(rootId));
}
