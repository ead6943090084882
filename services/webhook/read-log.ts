import type { Database } from '../../db/connect.ts';
import { WebhookEndpoint } from '../../db/entities/webhook.ts';
import { addToBacklog } from '../../db/sql/webhook/add-to-backlog.ts';
import { storeBodies, withoutBody } from '../../db/sql/webhook/bodies.ts';
import { type DeliveringEndpoint, lockDelivering } from '../../db/sql/webhook/lock-endpoint.ts';
import { type LoggedEvent, readNews } from '../../db/sql/webhook/read-news.ts';
import type { BodyMaker } from './port.ts';

/** Events read in one step. */
const PAGE = 200;

/**
 * Reads one page of the log for an endpoint: makes the bodies of its events, which are kept for all endpoints of the
 * vendor, and notes the objects it has to get them of. Also while the endpoint is paused, so that a body shows its
 * object as it was soon after the fact.
 */
export async function readLog(db: Database, makeBodies: BodyMaker, endpoint: DeliveringEndpoint): Promise<void> {
  const { id, vendorId, types, readSeq } = endpoint;
  const page = await readNews(db, vendorId, readSeq, PAGE);
  const end = page.at(-1);
  if (end === undefined) return;
  const wanted = types.length === 0 ? page : page.filter(({ type }) => types.includes(type));
  await ensureBodies(db, makeBodies, vendorId, wanted);
  await db.transaction(
    async (tx) => {
      const locked = await lockDelivering(tx, id);
      // meanwhile it is read from elsewhere, asks for other types, or is deleted
      if (locked === null || locked.readSeq !== readSeq || locked.types.join() !== types.join()) return;
      await addToBacklog(tx, id, wanted);
      await tx.em.nativeUpdate(WebhookEndpoint, { id }, { readSeq: end.seq });
    },
    { prepare: true, by: 'timer', within: id },
  );
}

/** How many bodies are made and stored at a time; each may have an object of up to a million characters. */
const AT_ONCE = 25;

/** Makes the bodies that don't exist yet. */
export async function ensureBodies(db: Database, makeBodies: BodyMaker, vendorId: string, events: readonly LoggedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const missing = await withoutBody(
    db,
    vendorId,
    events.map(({ seq }) => seq),
  );
  const left = events.filter(({ seq }) => missing.has(seq));
  for (let at = 0; at < left.length; at += AT_ONCE) await storeBodies(db, await makeBodies(db, left.slice(at, at + AT_ONCE)), Date.now());
}
