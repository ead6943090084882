import type Router from '@koa/router';
import type { Logger } from 'pino';
import type { Tracing } from '../../config/tracing.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { KnownContracts } from '../../db/contract/known.ts';
import { EntitlementReads } from '../../db/entitlement/access.ts';
import type { ObserveRequest } from '../../metrics/requests.ts';
import { FairQueue } from '../../pdf/fair-queue.ts';
import type { PdfPrinter } from '../../pdf/printer.ts';
import { ChangeIntake } from '../../services/contract/change-together.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { ContractReads } from '../../services/contract/read.ts';
import { SigningIntake } from '../../services/contract/sign-together.ts';
import { StandingReads } from '../../services/contract/standing.ts';
import { CustomerIntake } from '../../services/customer/create-together.ts';
import { Entitlements } from '../../services/entitlement/read.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import { CheckIntake } from '../../services/usage/check-intake.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { ReservationIntake } from '../../services/usage/reservation-intake.ts';
import { Authenticator } from './authenticate.ts';
import { BigBodies } from './big-bodies.ts';
import { Cursors } from './cursor.ts';
import type { KeylessLimit } from './keyless-limit.ts';
import { RequestQueues } from './queue.ts';
import { RateLimit } from './rate-limit.ts';

export type Transaction = Tx;

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
  /** Whether webhooks may be sent to private and loopback addresses. */
  readonly reachesPrivate: boolean;
  /** Requests per key and minute; null: no limit. */
  readonly rateLimitPerMinute: number | null;
}

/** Given by the process (`api/main.ts`) or the tests. */
export interface Parts {
  readonly db: Database;
  readonly payments: Payments;
  /** Resolves when a payment attempt's workflow has ended, or after the given milliseconds. */
  readonly awaitPayment: (attemptId: string, longestMs: number) => Promise<void>;
  /** Prints invoices and credit notes. */
  readonly pdfPrinter: PdfPrinter;
  /** Limits requests without a live key, by address. */
  readonly keylessLimit: KeylessLimit;
  readonly health: Health;
  readonly settings: Settings;
  readonly log: Logger;
  /** Parts with paths of their own that aren't endpoints: portal pages, provider webhooks. */
  readonly routers?: (deps: ApiDependencies) => readonly Router[];
  readonly tracing?: Tracing | null;
  /** Counts a request in the metrics. */
  readonly observe?: ObserveRequest;
}

/** What routes may use. */
export interface ApiDependencies extends Parts {
  readonly authenticator: Authenticator;
  readonly cursors: Cursors;
  readonly queues: RequestQueues;
  readonly bigBodies: BigBodies;
  /** Late contracts are advanced for requests one transaction at a time, the vendors in turn. */
  readonly catchUps: FairQueue;
  readonly usage: UsageIntake;
  readonly checks: CheckIntake;
  readonly reservations: ReservationIntake;
  readonly customers: CustomerIntake;
  readonly signings: SigningIntake;
  readonly changes: ChangeIntake;
  readonly contractReads: ContractReads;
  /** Contracts that are late, as they are now. */
  readonly standings: StandingReads;
  readonly estimates: ChangeEstimates;
  readonly entitlements: Entitlements;
  /** Requests per key; null: no limit. */
  readonly keyLimit: RateLimit | null;
}

/** What the routes of one application share, made from what the process gives. */
export function dependenciesOf(parts: Parts): ApiDependencies {
  const { db, settings } = parts;
  const known = new KnownContracts();
  const standings = new StandingReads(db, known);
  return {
    ...parts,
    authenticator: new Authenticator(db, settings.secret, settings.baseUrl),
    cursors: new Cursors(settings.secret),
    queues: new RequestQueues(),
    bigBodies: new BigBodies(),
    catchUps: new FairQueue({ atOnce: 1, perOwner: 100, inAll: 1_000, longestMs: 5_000 }),
    usage: new UsageIntake(db),
    checks: new CheckIntake(db, standings),
    reservations: new ReservationIntake(db),
    customers: new CustomerIntake(db),
    signings: new SigningIntake(db),
    changes: new ChangeIntake(db),
    contractReads: new ContractReads(db, known, standings),
    standings,
    estimates: new ChangeEstimates(db),
    entitlements: new Entitlements(new EntitlementReads(db, known), standings),
    keyLimit: settings.rateLimitPerMinute === null ? null : new RateLimit(settings.rateLimitPerMinute),
  };
}
