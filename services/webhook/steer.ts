import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import type { EventRow } from '../../db/entities/event.ts';
import { WebhookEndpoint, type WebhookEndpointRecord } from '../../db/entities/webhook.ts';
import { isAwaited } from '../../db/sql/webhook/is-awaited.ts';
import { leaveOut } from '../../db/sql/webhook/leave-out.ts';
import { noteTries } from '../../db/sql/webhook/note-tries.ts';
import { readAgain } from '../../db/sql/webhook/read-again.ts';
import { sendAgain } from '../../db/sql/webhook/send-again.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { eventInLog, placeBehind } from '../event/in-log.ts';
import { lockEndpoint } from './endpoint.ts';

const placeOf = ({ seq, id, objectId, objectSequence: sequence }: EventRow) => ({ seq, id, objectId, sequence });

/**
 * Leaves an event out, so that the later ones of its object are sent.
 *
 * @throws Refusal `event_not_found`; `event_not_awaited`: the endpoint has got it, or it was skipped and passed
 */
export async function skipEvent(tx: Tx, endpoint: WebhookEndpointRecord, eventId: string, now: number): Promise<void> {
  const event = await eventInLog(tx.em, endpoint.vendorId, eventId, 'event');
  if (!(await isAwaited(tx, endpoint.id, event.id)))
    throw new Refusal('event_not_awaited', `The endpoint does not wait for ${eventId}.`, {
      event: 'was taken or skipped already: there is nothing to skip',
    });
  await leaveOut(tx, endpoint.id, placeOf(event));
  const skipped = { eventId, at: now, attempt: 0, status: 'skipped', statusCode: null, durationMs: 0, error: null, answer: null } as const;
  await noteTries(tx, endpoint.id, [skipped]);
  count(tx, 'deliveries', { outcome: 'skipped' });
  enqueue(tx, 'webhook', endpoint.id);
}

/**
 * Sends all events behind this one again, in their order, and then what is new. Where some of them are deleted none is
 * sent: a receiver would take the rest for all.
 *
 * @throws Refusal `event_not_found`; `invalid_request`: some are deleted, and the text says where the log begins
 */
export async function replayAfter(tx: Tx, endpoint: WebhookEndpointRecord, eventId: string): Promise<void> {
  await readAgain(tx, endpoint.id, await placeBehind(tx.em, endpoint.vendorId, eventId, 'after'));
  enqueue(tx, 'webhook', endpoint.id);
}

/**
 * Sends an event once more with the same body and id: to one endpoint, or to all of the vendor that get its type.
 *
 * @returns the ids of the endpoints
 * @throws Refusal `event_not_found`, `webhook_endpoint_not_found`
 */
export async function resendEvent(tx: Tx, vendorId: string, eventId: string, endpointId: string | null): Promise<string[]> {
  const event = await eventInLog(tx.em, vendorId, eventId, 'event');
  const all =
    endpointId === null ? await tx.em.find(WebhookEndpoint, { vendorId, status: { $ne: 'deleted' } }, { orderBy: { id: 'asc' } }) : [];
  const ids =
    endpointId === null ? all.filter(({ types }) => types.length === 0 || types.includes(event.type)).map(({ id }) => id) : [endpointId];
  for (const id of ids) {
    await lockEndpoint(tx, vendorId, id);
    await sendAgain(tx, id, await isAwaited(tx, id, event.id), placeOf(event));
    enqueue(tx, 'webhook', id);
  }
  return ids;
}
