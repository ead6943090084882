import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Configuration, ContractSnapshot } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { nowOf } from '../../db/clock/now.ts';
import type { Queryable } from '../../db/connect.ts';
import type { LockStrength } from '../../db/sql/lock.ts';

export interface LockedCustomer {
  id: string;
  vendorId: string;
  status: ContractSnapshot['customer']['status'];
  clockId: string | null;
  configuration: Partial<Configuration>;
  pauses: Pause[];
  /** the time the customer lives at */
  now: Instant;
}

/**
 * Holds a customer for a write: against a freeze with `key share`, against other changes of its own data with `no key update`, against everything
 * that is written about it with `update`.
 *
 * @param frozen what to do with a frozen customer: `refuse` the write, or `allow` it (results of providers, activation)
 * @throws Refusal `customer_not_found`, `clock_advancing`, `customer_frozen`
 */
export async function lockCustomer(
  tx: Queryable,
  vendorId: string,
  customerId: string,
  { lock = 'key share', frozen = 'refuse' }: { lock?: LockStrength; frozen?: 'refuse' | 'allow' } = {},
): Promise<LockedCustomer> {
  const [row] = await tx.query<{
    id: string;
    vendor_id: string;
    status: LockedCustomer['status'];
    test_clock_id: string | null;
    configuration: Partial<Configuration>;
  }>(`select id, vendor_id, status, test_clock_id, configuration from customer where id = $1 and vendor_id = $2 for ${lock}`, [
    customerId,
    vendorId,
  ]);
  if (row === undefined) throw new Refusal('customer_not_found', `There is no customer ${customerId}.`, { customer: customerId });
  await refuseWhileAdvancing(tx, row.test_clock_id);
  if (frozen === 'refuse' && row.status === 'inactive') throw new Refusal('customer_frozen', `The customer ${customerId} is frozen.`);
  const pauses = await tx.query<Pause>(`select began as "from", ended as "to" from customer_pause where customer_id = $1 order by began`, [
    customerId,
  ]);
  return {
    id: row.id,
    vendorId: row.vendor_id,
    status: row.status,
    clockId: row.test_clock_id,
    configuration: row.configuration,
    pauses,
    now: await nowOf(tx, row.test_clock_id),
  };
}

/** While a test clock moves, its customers belong to it alone. */
export async function refuseWhileAdvancing(tx: Queryable, clockId: string | null): Promise<void> {
  if (clockId === null) return;
  // held until the commit, so that the clock does not begin to move under a write
  const [clock] = await tx.query<{ status: string }>('select status from test_clock where id = $1 for key share', [clockId]);
  if (clock?.status === 'advancing') throw new Refusal('clock_advancing', `The test clock ${clockId} is advancing.`);
}
