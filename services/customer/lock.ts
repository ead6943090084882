import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Configuration, ContractSnapshot } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { lockClockStatus } from '../../db/sql/clock/lock-status.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCountedCustomer, lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import type { LockStrength } from '../../db/sql/lock.ts';
import { together } from '../../db/together.ts';
import { FreezeIsOver, isFreezeOver } from './freeze-over.ts';

export interface LockedCustomer {
  id: string;
  vendorId: string;
  status: ContractSnapshot['customer']['status'];
  clockId: string | null;
  configuration: Partial<Configuration>;
  pauses: Pause[];
  /** when its freeze ends by itself, null: not by itself */
  resumeAt: Instant | null;
  /** has limits or alerts on its usage, which is then counted under `no key update` */
  watched: boolean;
  /** when its personal data were asked to be erased: nothing is written about it any more */
  erasedAt: Instant | null;
  /** the time on the customer's clock */
  now: Instant;
}

interface LockOptions {
  /** `to count`: `no key update` where it is watched, else `key share` */
  lock?: LockStrength | 'to count';
  /** a frozen customer: `refuse` the write, or `allow` it (results of providers, activation) */
  frozen?: 'refuse' | 'allow';
  /** one on a clock that advances; only results of providers are written meanwhile */
  advancing?: 'refuse' | 'allow';
}

/**
 * Locks a customer for a write: against a freeze with `key share`, against other changes of its own data with
 * `no key update`, against everything that is written about it with `update`.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`, `customer_erased`, `customer_frozen`
 */
export async function lockCustomer(
  tx: Queryable,
  vendorId: string,
  customerId: string,
  { lock = 'key share', frozen = 'refuse', advancing = 'refuse' }: LockOptions = {},
): Promise<LockedCustomer> {
  const [row, pauses, time] = await together(tx, [
    () => (lock === 'to count' ? lockCountedCustomer(tx, vendorId, customerId) : lockCustomerRow(tx, vendorId, customerId, lock)),
    () => readPauses(tx, customerId),
    () => nowOf(tx, null),
  ]);
  if (row === null) throw new Refusal('customer_not_found', `There is no customer ${customerId}.`, 'customer');
  if (advancing === 'refuse') await refuseWhileAdvancing(tx, row.clockId);
  if (frozen === 'refuse' && row.status === 'inactive') throw frozenAt(row, time);
  return { ...row, pauses, now: row.clockId === null ? time : await nowOf(tx, row.clockId) };
}

/** Why a write about a frozen customer isn't made. On the wall clock its freeze may have had to end by now. */
const frozenAt = (row: Pick<LockedCustomer, 'id' | 'clockId' | 'resumeAt' | 'erasedAt'>, wallClock: Instant): Refusal =>
  row.clockId === null && isFreezeOver({ resumeAt: row.resumeAt, now: wallClock }) ? new FreezeIsOver(row.id) : inactiveRefusal(row);

interface MaybeErased {
  id: string;
  erasedAt: Instant | null;
}

/** Why nothing is written about an inactive customer: it is frozen, or erased, which freezes it for ever. */
export const inactiveRefusal = ({ id, erasedAt }: MaybeErased): Refusal =>
  erasedAt === null
    ? new Refusal('customer_frozen', `The customer ${id} is frozen; activate it first.`)
    : new Refusal('customer_erased', `The personal data of the customer ${id} are erased; make a new customer.`);

/** @throws Refusal `customer_erased` */
export function requireNotErased(customer: MaybeErased): void {
  if (customer.erasedAt !== null) throw inactiveRefusal(customer);
}

/** Why nothing is written on a test clock that moves. */
export const clockAdvancing = (clockId: string | null): Refusal =>
  new Refusal('clock_advancing', `The test clock ${clockId} is advancing; try again when it is ready.`);

/** While a test clock moves, its customers belong to it alone. */
export async function refuseWhileAdvancing(tx: Queryable, clockId: string | null): Promise<void> {
  if (clockId === null) return;
  if ((await lockClockStatus(tx, clockId)) === 'advancing') throw clockAdvancing(clockId);
}
