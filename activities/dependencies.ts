import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import type { Mailer, Printer } from '../services/email/port.ts';
import type { Payments } from '../services/payment/open-payments.ts';
import type { Webhooks } from '../services/webhook/port.ts';

/** What the worker gives to activities. */
export interface ActivityDependencies {
  db: Database;
  log: Logger;
  payments: Payments;
  /** null: this process delivers no events */
  webhooks: Webhooks | null;
  /** null: this process sends no e-mails */
  email: { mailer: Mailer; printer: Printer } | null;
  /** names the workflow code of this worker */
  bundle: string;
}
