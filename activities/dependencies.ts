import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { Payments } from '../services/payment/open.ts';

/** What activities are given by the process that runs them. */
export interface Dependencies {
  db: Database;
  log: Logger;
  payments: Payments;
  /** names the workflow code of this worker */
  bundle: string;
}
