import { Refusal } from '../../billing/refusal.ts';
import type { UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import { UsageAlertReached } from '../../db/entities/usage-alert.ts';
import { UsageLimitRecord } from '../../db/entities/usage-limit.ts';
import { newId } from '../../db/id.ts';
import { noteWatched } from '../../db/sql/customer/note-watched.ts';
import { forgetWindows } from '../../db/sql/usage/forget-windows.ts';
import { lockCustomer } from '../customer/lock.ts';
import { tellReachedAlready } from '../usage/reached.ts';

/** Each one is looked at with every event of the customer. */
const MOST_LIMITS = 50;

/** A limit as it is asked for. */
export type NewLimit = Omit<UsageLimit, 'id'> & { vendorId: string };

/**
 * Sets a limit. The customer is locked for an update, as for a freeze: events under way are counted first, and each
 * later one finds the limit. One that tells does so now where it is passed already.
 *
 * @returns its id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `too_many_limits`
 */
export async function setLimit(tx: Tx, { vendorId, ...limit }: NewLimit): Promise<string> {
  const customer = await lockCustomer(tx, vendorId, limit.customerId, { lock: 'update' });
  if ((await tx.em.count(UsageLimitRecord, { customerId: customer.id })) >= MOST_LIMITS)
    throw new Refusal('too_many_limits', `A customer has at most ${MOST_LIMITS} limits.`);
  const id = newId('Limit');
  tx.em.create(UsageLimitRecord, { id, ...limit, created: customer.now });
  await tx.em.flush();
  // counts that were kept for a deleted limit lack the usage that came since
  if (limit.slug !== null && limit.window !== 'period') await forgetWindows(tx, customer.id, limit.slug);
  await noteWatched(tx, customer.id);
  await tellReachedAlready(tx, customer, limit.slug);
  return id;
}

/** @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `limit_not_found` */
export async function deleteLimit(tx: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  if ((await tx.em.nativeDelete(UsageLimitRecord, { id, customerId: customer.id })) === 0)
    throw new Refusal('limit_not_found', `The customer has no limit ${id}.`);
  await tx.em.nativeDelete(UsageAlertReached, { watchId: id });
  await noteWatched(tx, customer.id);
}
