import { Refusal } from '../../billing/refusal.ts';
import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer, type CustomerEntity } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { endDueFreeze } from './activate.ts';
import { FreezeIsOver, isFreezeOver } from './freeze-over.ts';
import { requireNotErased } from './lock.ts';

/**
 * Makes a write again that was refused because the freeze of its customer was to end by now. First the end of the
 * freeze is carried out, in a transaction of its own, because it locks the customer in another way. A test clock ends a
 * freeze itself before it is ready.
 *
 * @param error what the write has thrown; any other one is thrown again
 */
export async function againAfterFreeze<T>(db: Database, error: unknown, write: () => Promise<T>): Promise<T> {
  if (!(error instanceof FreezeIsOver)) throw error;
  await endDueFreeze(db, error.customerId);
  return write();
}

/**
 * Makes an estimate; if it is refused because a freeze was to end by now, carries out the end of the freeze, as before
 * a write, and makes it again. So the estimate comes to what the write does, and its token holds. A successful estimate
 * costs no further look-up. A test clock ends a freeze itself.
 *
 * @param of the contract or the customer that is asked for
 * @throws Refusal `customer_erased` where the freeze is that of an erasure, and what the estimate throws
 */
export async function estimateAfterFreeze<T>(
  db: Database,
  of: { vendorId: string; contractId: string } | { vendorId: string; customerId: string },
  estimate: () => Promise<T>,
): Promise<T> {
  try {
    return await estimate();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'customer_frozen')) throw error;
    const customer = await customerMeant(db, of);
    if (customer === null) throw error;
    requireNotErased(customer);
    const isOver = customer.clockId === null && isFreezeOver({ resumeAt: customer.resumeAt, now: await nowOf(db, null) });
    return againAfterFreeze(db, isOver ? new FreezeIsOver(customer.id) : error, estimate);
  }
}

async function customerMeant(db: Database, of: Parameters<typeof estimateAfterFreeze>[1]): Promise<CustomerEntity | null> {
  const em = db.em();
  const id =
    'customerId' in of ? of.customerId : (await em.findOne(ContractRecord, { id: of.contractId, vendorId: of.vendorId }))?.customerId;
  return id === undefined ? null : await em.findOne(Customer, { id, vendorId: of.vendorId });
}
