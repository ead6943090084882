import type { Logger } from 'pino';
import type { Database, Queryable } from '../db/connect.ts';
import { forgetOldAnswers } from '../db/idempotency/answer.ts';
import { forgetDelivered } from '../db/wish/forget.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY = 600_000;
/** So many rows go in one short statement; a herd's rollover leaves many. */
const AT_ONCE = 5_000;

/** Forgets answers to Idempotency-Keys that are older than 30 days, and wishes delivered more than a day ago. */
export function startForgetting(db: Database, log: Logger): Loop {
  return startLoop({ name: 'forget', everyMs: EVERY, log, turn: () => forgetOld(db, Date.now(), AT_ONCE) });
}

/** One turn: up to `most` rows of each kind. True: there may be more. */
export async function forgetOld(db: Queryable, now: number, most: number): Promise<boolean> {
  const answers = await forgetOldAnswers(db, now, most);
  const wishes = await forgetDelivered(db, now, most);
  return answers === most || wishes === most;
}
