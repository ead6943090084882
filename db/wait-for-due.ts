import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '../billing/calendar/instant.ts';
import type { Database } from './connect.ts';
import { nowOf } from './sql/clock/now-of.ts';

/**
 * Milliseconds by which a timer may fire early by Postgres's clock, since its clock and Temporal's differ a little: the
 * activity then waits, so that the workflow doesn't wake again and again until the instant has come.
 */
const SKEW = 1_000;

/** Waits for an instant that is less than a second ahead by Postgres's clock; null: there is none. */
export async function waitForDue(db: Database, dueAt: Instant | null): Promise<void> {
  if (dueAt === null || dueAt <= Date.now() - SKEW) return;
  const early = dueAt - (await nowOf(db, null));
  if (early > 0 && early <= SKEW) await pause(early);
}
