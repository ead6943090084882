import type { Database } from '../../db/connect.ts';
import { WebhookEndpoint } from '../../db/entities/webhook.ts';
import { lockDelivering, lookAtEndpoint } from '../../db/sql/webhook/lock-endpoint.ts';
import { type EndpointStanding, endpointStanding } from '../../db/sql/webhook/standing.ts';
import { tryAllNow } from '../../db/sql/webhook/try-all-now.ts';
import { pauseEndpoint } from './pause.ts';
import type { Webhooks } from './port.ts';
import { readLog } from './read-log.ts';
import { Sender, secretsOf } from './sender.ts';

/** Milliseconds between two looks while something is being sent. */
const LOOK_AGAIN_MS = 250;
/** Milliseconds for which it waits for further events after the last ones: a herd's come one after the other. */
const LINGER_MS = 750;
/** Milliseconds for which the endpoint needs no message after each look. */
const BUSY_MS = 2_000;

export interface DeliveryLimits {
  /** milliseconds after which it begins nothing new while nothing is under way */
  budgetMs: number;
  /**
   * milliseconds after which it begins nothing new at all: until then slow answers of some objects hold up no others
   */
  longestMs: number;
  /** the worker stops */
  stopped: AbortSignal;
}

/**
 * Works for one endpoint for some time: reads the log page by page, sends what is due, writes down what became of it.
 * Ends when nothing is left to do now, or the time is used up. Killed at any moment, it leaves out nothing: what wasn't
 * written down is sent again with the same id.
 *
 * @returns where the endpoint stands; null: it is deleted
 */
export async function deliverEvents(
  db: Database,
  webhooks: Webhooks,
  endpointId: string,
  limits: DeliveryLimits,
): Promise<EndpointStanding | null> {
  const sender = new Sender(db, webhooks, endpointId, limits.stopped);
  try {
    await workOn(db, webhooks, sender, endpointId, limits);
  } catch (error) {
    // otherwise the next run would begin at once, and both would send
    sender.abandon();
    throw error;
  }
  const standing = await endpointStanding(db, endpointId);
  return standing === null || standing.status === 'deleted' ? null : standing;
}

async function workOn(
  db: Database,
  webhooks: Webhooks,
  sender: Sender,
  endpointId: string,
  { budgetMs, longestMs, stopped }: DeliveryLimits,
): Promise<void> {
  const began = Date.now();
  for (let lastWork = 0; ; ) {
    const passed = Date.now() - began;
    const begins = !stopped.aborted && passed < (sender.isBusy ? longestMs : budgetMs);
    // lanes that are taken begin no further events either: with slow answers they would last beyond the activity's own
    // time limit
    if (!begins) sender.begins = false;
    const worked = begins && (await workOnce(db, webhooks, sender, endpointId));
    await sender.settle();
    if (worked) lastWork = Date.now();
    const lingers = begins && Date.now() - lastWork < LINGER_MS;
    if (!worked && !sender.isBusy && !lingers) break;
    if (!worked) await sender.change(LOOK_AGAIN_MS);
  }
}

/** One page of the log, and what is due. @returns whether there was any of it */
async function workOnce(db: Database, webhooks: Webhooks, sender: Sender, endpointId: string): Promise<boolean> {
  const endpoint = await lookAtEndpoint(db, endpointId, BUSY_MS);
  sender.begins = endpoint?.status === 'active';
  if (endpoint === null || endpoint.status === 'deleted') return false;
  const isNews = endpoint.hasNews;
  if (isNews) await readLog(db, webhooks.makeBodies, endpoint);
  if (endpoint.status !== 'active') return isNews;
  if (endpoint.opens) return openMore(db, endpoint.id);
  const secrets = secretsOf(endpoint, webhooks.secret, Date.now());
  if (secrets === null) await pauseUnreadable(db, endpoint.id);
  const taken = secrets === null ? 0 : await sender.take(endpoint, secrets);
  return isNews || taken > 0;
}

/**
 * Makes more of the events due that have failed before. Nothing is sent until all are: a lane could give up, and the
 * endpoint would be paused again.
 */
async function openMore(db: Database, endpointId: string): Promise<true> {
  await db.transaction(
    async (tx) => {
      const endpoint = await lockDelivering(tx, endpointId);
      if (!endpoint?.opens || (await tryAllNow(tx, endpointId))) return;
      await tx.em.nativeUpdate(WebhookEndpoint, { id: endpointId }, { opens: false });
    },
    { by: 'timer', within: endpointId },
  );
  return true;
}

async function pauseUnreadable(db: Database, endpointId: string): Promise<void> {
  await db.transaction(
    async (tx) => {
      const endpoint = await lockDelivering(tx, endpointId);
      if (endpoint !== null)
        await pauseEndpoint(tx, endpoint, 'the secret cannot be read, because PERENNIAL_SECRET has changed: rotate the secret, then open');
    },
    { by: 'timer', within: endpointId },
  );
}
