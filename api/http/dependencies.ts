import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Tracing } from '../../config/tracing.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { EntitlementReads } from '../../db/entitlement/access.ts';
import type { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import type { ContractReads } from '../../services/contract/read.ts';
import type { Payments } from '../../services/payment/open.ts';
import type { UsageIntake } from '../../services/usage/intake.ts';
import type { PdfPrinter } from '../pdf/printer.ts';
import type { Authenticator } from './authenticate.ts';
import type { BigBodies } from './big-bodies.ts';
import type { Brake } from './brake.ts';
import type { Cursors } from './cursor.ts';
import type { RequestQueues } from './queue.ts';

export type Transaction = Tx;

/** A part of the service with paths of its own beside the interface: portal pages, provider webhooks. */
export interface Mount {
  readonly prefix: string;
  readonly handle: Koa.Middleware;
}

/** What is outside of the process and may be away. */
interface Health {
  /** Throws when Temporal doesn't answer. */
  temporal(): Promise<void>;
  /** Whether a worker takes work; throws when Temporal doesn't answer. */
  hasWorker(): Promise<boolean>;
}

export interface Settings {
  readonly secret: string;
  readonly baseUrl: string;
  /** Requests per key and minute; null: no limit. */
  readonly rateLimitPerMinute: number | null;
}

/** Given by the process (`api/main.ts`) or the tests. */
export interface Parts {
  readonly db: Database;
  readonly payments: Payments;
  /** Resolves when a payment attempt's workflow has ended, or after so many milliseconds. */
  readonly awaitPayment: (attemptId: string, longestMs: number) => Promise<void>;
  /** Prints invoices and credit notes. */
  readonly pdfPrinter: PdfPrinter;
  /** Slows down whoever comes without a live key. */
  readonly brake: Brake;
  readonly health: Health;
  readonly settings: Settings;
  readonly log: Logger;
  readonly mounts?: readonly Mount[];
  readonly tracing?: Tracing | null;
}

/** What routes may use. */
export interface Dependencies extends Parts {
  readonly authenticator: Authenticator;
  readonly cursors: Cursors;
  readonly queues: RequestQueues;
  readonly bigBodies: BigBodies;
  readonly usage: UsageIntake;
  readonly contractReads: ContractReads;
  readonly estimates: ChangeEstimates;
  readonly entitlements: EntitlementReads;
}
