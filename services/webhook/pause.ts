import type { Tx } from '../../db/connect.ts';
import { WebhookEndpoint } from '../../db/entities/webhook.ts';
import { publish } from '../../db/sql/event/publish.ts';

/** Sends nothing more to an endpoint, whose row is locked, until it is opened again. */
export async function pauseEndpoint(tx: Tx, { id, vendorId }: { id: string; vendorId: string }, reason: string): Promise<void> {
  const paused = await tx.em.nativeUpdate(WebhookEndpoint, { id, status: 'active' }, { status: 'paused', pausedReason: reason });
  if (paused === 0) return;
  await publish(tx, [{ vendorId, type: 'v1.webhook_endpoint.paused', objectId: id, at: Date.now(), data: { reason } }]);
}
