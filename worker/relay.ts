import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { deliverWishes } from '../db/wish/deliver.ts';
import { PATIENCE } from './deliver.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY = 1_000;
const AT_ONCE = 50;

/** Delivers the wishes nobody else could: the process died after its commit, or Temporal was away. */
export function startRelay(db: Database, client: Client, taskQueue: string, log: Logger): Loop {
  return startLoop({
    name: 'relay',
    everyMs: EVERY,
    log,
    turn: async () => {
      const deliver = () => deliverWishes(db, client, taskQueue, null, AT_ONCE);
      const { taken, failures } = await client.connection.withDeadline(Date.now() + PATIENCE, deliver);
      if (failures.length > 0) log.warn({ err: failures[0], failed: failures.length, taken }, 'wishes wait for their next try');
      return taken === AT_ONCE;
    },
  });
}
