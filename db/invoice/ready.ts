import type { Queryable } from '../connect.ts';

/** Told, inside the transaction, that invoices have become `ready_for_payment` with something left after the wallet. */
export type ReadyListener = (tx: Queryable, invoiceIds: readonly string[]) => Promise<void>;

/** Who wants to be told: what collects payments adds itself here. */
const listeners: ReadyListener[] = [];

export async function invoicesReady(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  for (const listener of listeners) await listener(tx, invoiceIds);
}
