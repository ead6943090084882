import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { Payments } from '../payments/open.ts';
import type { Carrier } from './contract/carrier.ts';

/** What activities are given by the process that runs them. */
export interface Dependencies {
  db: Database;
  log: Logger;
  payments: Payments;
  /** Delivers wishes just committed; what can't be delivered now is left to the relay, so this never throws. */
  deliver(wishIds: readonly string[]): Promise<void>;
  /** Takes others along that are due when a contract wakes; null only to measure what that is worth. */
  carrier: Carrier | null;
}
