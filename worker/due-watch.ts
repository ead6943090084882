import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Carrier } from '../activities/contract/carrier.ts';
import type { Database } from '../db/connect.ts';
import { nextDueIn } from '../db/contract/due.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY = 1_000;
/** Instants closer together than this are carried in one go. */
const LEAST = 20;

/**
 * Is awake at the very instant something is due for contracts of the wall clock and has it carried, whatever their own timers do: a herd's are
 * spread behind the instant, and Temporal may be away.
 */
export function startDueWatch(db: Database, carrier: Carrier, log: Logger): Loop {
  const loop = startLoop({
    name: 'due',
    everyMs: EVERY,
    log,
    turn: async () => {
      await carrier.carry();
      const wait = await nextDueIn(db, EVERY);
      if (wait === null) return false;
      await pause(Math.max(LEAST, wait));
      return true;
    },
  });
  return {
    stop: async () => {
      await loop.stop();
      await carrier.rest();
    },
  };
}
