import { closeCollections } from '../../db/sql/payment/close-collections.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';

/**
 * Takes invoices that are paid, or void, off everything that would collect them; workflows that showed a retry get a
 * message.
 */
export async function stopCollecting(tx: Tx, invoiceIds: readonly string[]): Promise<void> {
  for (const workflowId of await closeCollections(tx, invoiceIds)) enqueueWaiting(tx, workflowId);
}
