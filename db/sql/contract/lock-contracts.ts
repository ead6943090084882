import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable, Row } from '../../connect.ts';
import { together } from '../../together.ts';
import { contractProjection } from '../projections.ts';
import { contractsByIds } from './by-ids.ts';

/**
 * `none`: only read. `wait`: lock the rows and wait for those that are locked. `skip`: lock the rows that are free,
 * leave out the others.
 */
export type Lock = 'none' | 'wait' | 'skip';

const SHARE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for key share', skip: 'for key share skip locked' };
const UPDATE: Record<Exclude<Lock, 'none'>, string> = { wait: 'for update', skip: 'for update skip locked' };

const CUSTOMERS = 'select id from customer where id in (select customer_id from contract where id = any($1::text[])) order by id ';
/** One array, so that each row is found by its key: with an `or` all contracts are read. */
const CONTRACTS = `select ${contractProjection.columns('c')} from contract c
  where c.id = any(array(select unnest($1::text[]) union all select root_id from contract where id = any($1::text[])))`;
const ORDER = ' order by c.id <> c.root_id, c.id ';

/**
 * Contracts, locked in the one order used everywhere: customers, then chains (the rows of their first contracts), then
 * contracts, each by id. The customer is locked against a freeze (which takes the row `for update`), not against other
 * changes of it. SQL, because each advance and each change begins with it, and MikroORM can't lock rows in a given
 * order.
 */
export async function lockContracts(tx: Queryable, ids: readonly string[], lock: Lock): Promise<Contract[]> {
  if (lock === 'none') return contractsByIds(tx, ids);
  const lockCustomers = () => tx.query<{ id: string }>(CUSTOMERS + SHARE[lock], [ids]);
  const found = (lock === 'wait' ? await waiting(tx, lockCustomers, ids) : await free(tx, lockCustomers, ids)).map(contractProjection.read);
  const [wanted, locked] = [new Set(ids), new Set(found.map(({ id }) => id))];
  return found.filter(({ id, rootId }) => wanted.has(id) && locked.has(rootId));
}

type LockCustomers = () => Promise<{ id: string }[]>;

/** All customers are locked when the second statement begins. */
async function waiting(tx: Queryable, lockCustomers: LockCustomers, ids: readonly string[]): Promise<Row[]> {
  const [, rows] = await together(tx, [lockCustomers, () => tx.query(CONTRACTS + ORDER + UPDATE.wait, [ids])]);
  return rows;
}

async function free(tx: Queryable, lockCustomers: LockCustomers, ids: readonly string[]): Promise<Row[]> {
  const customers = await lockCustomers();
  return tx.query(`${CONTRACTS} and c.customer_id = any($2::text[])${ORDER}${UPDATE.skip}`, [ids, customers.map(({ id }) => id)]);
}
