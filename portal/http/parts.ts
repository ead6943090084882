import type { IncomingMessage } from 'node:http';
import type { Database } from '../../db/connect.ts';
import type { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import type { AwaitPayment } from '../../services/payment/pay-and-wait.ts';

/** Path that all pages of the portal begin with. */
export const PORTAL_PREFIX = '/portal';

/** How many more there may be, below zero for one too many, and the seconds until the count starts again. */
interface Count {
  readonly left: number;
  readonly reset: number;
}

/** What the portal gets from the process that shows it. */
export interface PortalParts {
  readonly db: Database;
  readonly payments: Payments;
  /** Resolves when a payment attempt's workflow has ended, or after so many milliseconds. */
  readonly awaitPayment: AwaitPayment;
  /** URL at which customers reach the portal; with https the cookie is sent over https only. */
  readonly baseUrl: string;
  /** Seals what comes back from a browser. */
  readonly secret: string;
  readonly estimates: ChangeEstimates;
  /** Prints an invoice as a PDF; null when there is none. */
  readonly print: (vendorId: string, invoiceId: string) => Promise<{ bytes: Buffer; name: string } | null>;
  /** The same for a credit note of an invoice. */
  readonly printNote: (vendorId: string, invoiceId: string, noteId: string) => Promise<{ bytes: Buffer; name: string } | null>;
  readonly countDownload: (customerId: string) => Count;
  /** Counts a request that changes something. */
  readonly countAct: (customerId: string) => Count;
  /** Counts a page that is shown. */
  readonly countPage: (customerId: string) => Count;
  /** Counts a request without a session, by address. */
  readonly countAnonymous: (request: IncomingMessage) => Count;
  /** Records a failure; gives the status to respond with, and when to try again. Null = the caller has gone. */
  readonly failed: (error: unknown, requestId: string) => { status: number; retryAfter?: number | undefined } | null;
}
