import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';

/** What activities are given by the process that runs them. */
export interface Dependencies {
  db: Database;
  log: Logger;
  /** Delivers wishes just committed; what can't be delivered now is left to the relay, so this never throws. */
  deliver(wishIds: readonly string[]): Promise<void>;
}
