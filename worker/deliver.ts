import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { deliverWishes } from '../db/wish/deliver.ts';

/** A server that doesn't answer must not keep the wishes' rows held. */
export const PATIENCE = 10_000;

/** Delivers wishes right after their commit; what fails waits for the relay. */
export function deliverer(db: Database, client: Client, taskQueue: string, log: Logger): (wishIds: readonly string[]) => Promise<void> {
  return async (wishIds) => {
    try {
      const { failures } = await client.connection.withDeadline(Date.now() + PATIENCE, () => deliverWishes(db, client, taskQueue, wishIds));
      if (failures.length > 0) throw failures[0];
    } catch (error) {
      log.warn({ err: error, wishes: wishIds.length }, 'wishes wait for the relay');
    }
  };
}
