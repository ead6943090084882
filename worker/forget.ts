import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { forgetOldAnswers } from '../db/idempotency/answer.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY = 600_000;

/** Forgets answers to Idempotency-Keys that are older than 30 days. */
export function startForgetting(db: Database, log: Logger): Loop {
  return startLoop({
    name: 'forget',
    everyMs: EVERY,
    log,
    turn: async () => {
      await forgetOldAnswers(db, Date.now());
      return false;
    },
  });
}
