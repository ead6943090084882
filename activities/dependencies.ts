import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { Mailer, Printer } from '../services/email/port.ts';
import type { Payments } from '../services/payment/open-payments.ts';

/** What the worker gives to activities. */
export interface ActivityDependencies {
  db: Database;
  log: Logger;
  payments: Payments;
  /** null: this process sends no e-mails */
  email: { mailer: Mailer; printer: Printer } | null;
  /** names the workflow code of this worker */
  bundle: string;
}
