import type { Queryable } from '../connect.ts';
import { planPayments } from '../payment/plan.ts';

/** Told, inside the transaction, that invoices have become `ready_for_payment` with something left after the wallet. */
type ReadyListener = (tx: Queryable, invoiceIds: readonly string[]) => Promise<unknown>;

/** Who wants to be told. The wishes made here are delivered by the relay. */
const listeners: readonly ReadyListener[] = [planPayments];

export async function invoicesReady(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  for (const listener of listeners) await listener(tx, invoiceIds);
}
