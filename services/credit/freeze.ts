import type { Instant } from '../../billing/calendar/instant.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { moveLives } from '../../db/sql/credit/move-lives.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { dropExpiries, planExpiries } from './agenda.ts';

/** No credits expire while their customer is frozen. */
export async function stopExpiries(tx: Tx, customerId: string): Promise<void> {
  await dropExpiries(tx, { customerId });
}

/** Moves the lives of a customer's grants by the freeze that ends now, and plans their ends again. */
export async function moveLivesByFreeze(tx: Tx, customer: LockedCustomer, from: Instant): Promise<void> {
  const grants = await moveLives(tx, customer.id, { from, to: customer.now });
  await planExpiries(
    tx,
    customer,
    // what ended before the freeze waits for the last usage of its life to close, or expires with this activation
    grants.filter(({ balance, awaits, expiresAt }) => expiresAt !== null && (awaits || (dec(balance).gt(0) && expiresAt > customer.now))),
  );
}
