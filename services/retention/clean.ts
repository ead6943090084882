import type { Database, Tx } from '../../db/connect.ts';
import { forgetPrints } from '../../db/sql/document/forget-prints.ts';
import { forgetEvents, holdEndpoints, vendorsToForget } from '../../db/sql/event/forget.ts';
import { settleLog } from '../../db/sql/event/settle.ts';
import { forgetOldResponses } from '../../db/sql/idempotency/forget-old.ts';
import { endOpenImports } from '../../db/sql/import/end-open.ts';
import { forgetWaitingLines } from '../../db/sql/import/forget-waiting.ts';
import { forgetSent } from '../../db/sql/outbox/forget-sent.ts';
import { forgetExpired } from '../../db/sql/portal/forget-expired.ts';
import { isOnlyCleaner } from '../../db/sql/retention/only-cleaner.ts';
import { forgetReservations } from '../../db/sql/usage/forget-reservations.ts';
import { forgetDeletedEndpoints, forgetTries } from '../../db/sql/webhook/forget.ts';

/** Milliseconds for which each kind of rows is kept; null: for ever. */
export interface Kept {
  answers: number;
  messages: number;
  tries: number;
  events: number | null;
  prints: number | null;
  /** imports that nobody has started, from when they were made */
  imports: number;
}

/** One short step of cleaning. */
interface Step {
  what: string;
  /** null: nothing is deleted */
  kept: number | null;
  /** deletes up to `most` rows, each older than an instant */
  forget(tx: Tx, before: number, most: number): Promise<number>;
}

const stepsOf = (kept: Kept): readonly Step[] => [
  { what: 'answers', kept: kept.answers, forget: forgetOldResponses },
  { what: 'reservations', kept: kept.answers, forget: forgetReservations },
  { what: 'messages', kept: kept.messages, forget: forgetSent },
  { what: 'tries', kept: kept.tries, forget: forgetTries },
  { what: 'endpoints', kept: 0, forget: (tx, _before, most) => forgetDeletedEndpoints(tx, most) },
  { what: 'events', kept: kept.events, forget: forgetOldEvents },
  { what: 'prints', kept: kept.prints, forget: forgetPrints },
  { what: 'links', kept: 0, forget: (tx, before, most) => forgetExpired(tx, 'portal_token', before, most) },
  { what: 'sessions', kept: 0, forget: (tx, before, most) => forgetExpired(tx, 'portal_session', before, most) },
  { what: 'console sessions', kept: 0, forget: (tx, before, most) => forgetExpired(tx, 'console_session', before, most) },
  { what: 'imports', kept: kept.imports, forget: discardOldImports },
];

const VENDORS = 50;

/** Deletes events of several vendors in one step, so that many with few events take no longer than one with many. */
async function forgetOldEvents(tx: Tx, before: number, most: number): Promise<number> {
  let deleted = 0;
  for (const vendorId of await vendorsToForget(tx, before, VENDORS)) {
    if (deleted >= most) break;
    if (await holdEndpoints(tx, vendorId)) deleted += await forgetEvents(tx, vendorId, before, most - deleted);
  }
  return deleted;
}

/** Ends old ones as a call of discard does, and deletes lines of what has ended in either way. */
async function discardOldImports(tx: Tx, before: number, most: number): Promise<number> {
  const ended = await endOpenImports(tx, before, most);
  return Math.max(ended, await forgetWaitingLines(tx, most));
}

/**
 * Deletes old rows that are no facts of billing: one step of each kind, each a short transaction, one of all processes
 * at a time. A step that finds another at work does nothing, and one that fails holds up no other kind.
 *
 * @param most rows of a step
 * @param deleted is called with what was deleted
 * @returns whether there may be more to delete now
 * @throws what the first step that failed has thrown, once all others are done
 */
export async function cleanUp(
  db: Database,
  kept: Kept,
  { now, most, deleted }: { now: number; most: number; deleted: (what: string, rows: number) => void },
): Promise<boolean> {
  let isMore = false;
  const failures: unknown[] = [];
  if (kept.events !== null) await settleLog(db);
  for (const { what, kept: ms, forget } of stepsOf(kept)) {
    if (ms === null) continue;
    try {
      const rows = await db.transaction(async (tx) => ((await isOnlyCleaner(tx)) ? forget(tx, now - ms, most) : 0), { by: 'timer' });
      if (rows > 0) deleted(what, rows);
      // of events, a step may end with the vendors that it has looked at
      isMore ||= rows >= most || (what === 'events' && rows > 0);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return isMore;
}
