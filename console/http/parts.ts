import type { IncomingMessage } from 'node:http';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import type { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import type { AwaitPayment } from '../../services/payment/pay-and-wait.ts';
import type { SignInProvider } from '../sign-in/provider.ts';

/** Path that all pages of the console begin with. */
export const CONSOLE_PREFIX = '/console';

/** How many more there may be, below zero for one too many, and the seconds until the count starts again. */
interface Count {
  readonly left: number;
  readonly reset: number;
}

/** Groups of preferences. */
type Group = 'invoicing' | 'payment' | 'change' | 'pause' | 'tax' | 'email' | 'portal';

/** Operations of the API that forms of the console call. */
export type ConsoleOperation =
  | 'save_plan'
  | 'archive_plan'
  | 'save_webhook_endpoint'
  | 'rotate_webhook_secret'
  | 'create_test_clock'
  | 'advance_test_clock'
  | `${'get' | 'set'}_${Group}_preferences`;

/** A call of the API by somebody in the console. */
export interface ConsoleCall {
  readonly operation: ConsoleOperation;
  readonly vendorId: string;
  readonly asker: Asker;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** runs in its transaction before it: locks what a page has shown, and throws where that is outdated */
  readonly before?: ((tx: Tx) => Promise<void>) | undefined;
  /** everything is checked, and nothing kept */
  readonly checkOnly?: boolean;
}

/** What a call has responded, or what is wrong with which field of it. */
export type CallOutcome = { readonly response: unknown } | { readonly problems: ReadonlyMap<string, string> };

/** The plan that the body of a request to save one comes to, without saving it. */
export type DraftPlan = (
  vendorId: string,
  body: unknown,
) => Promise<{ readonly plan: CataloguePlan } | { readonly problems: ReadonlyMap<string, string> }>;

export type CallApi = (call: ConsoleCall) => Promise<CallOutcome>;

/** A printed document. */
export interface Print {
  readonly bytes: Buffer;
  readonly name: string;
}

/** What the console gets from the process that shows it. */
export interface ConsoleParts {
  readonly db: Database;
  readonly payments: Payments;
  /** Resolves when a payment attempt's workflow has ended, or after so many milliseconds. */
  readonly awaitPayment: AwaitPayment;
  /** seals what an estimate fixes, as in the API */
  readonly secret: string;
  readonly estimates: ChangeEstimates;
  /** Advances a late contract by a step, when it is the vendor's turn. */
  readonly catchUp: (vendorId: string, contractId: string) => Promise<void>;
  /** URL at which the vendor's people reach the console; with https the cookie is sent over https only. */
  readonly baseUrl: string;
  /** Address of the Temporal UI; null: pages don't link to it. */
  readonly temporalUi: string | null;
  readonly temporalNamespace: string;
  /** Calls the API inside this process, without HTTP. */
  readonly callApi: CallApi;
  /** The service that people sign in with; null: with API keys alone. */
  readonly provider: SignInProvider | null;
  readonly draftPlan: DraftPlan;
  /** Prints an invoice as a PDF; null when there is none. */
  readonly print: (vendorId: string, invoiceId: string) => Promise<Print | null>;
  /** The same for a credit note of an invoice. */
  readonly printNote: (vendorId: string, invoiceId: string, noteId: string) => Promise<Print | null>;
  readonly countDownload: (sessionId: string) => Count;
  /** Counts a page that is shown. */
  readonly countPage: (sessionId: string) => Count;
  /** Counts a request that changes something. */
  readonly countAct: (sessionId: string) => Count;
  /** Counts a try to sign in, by address. */
  readonly countSignIn: (request: IncomingMessage) => Count;
  /** Counts a request without a session, by address. */
  readonly countAnonymous: (request: IncomingMessage) => Count;
  /** Records a failure; gives the status to respond with, and when to try again. Null = the caller has gone. */
  readonly failed: (error: unknown, requestId: string) => { status: number; retryAfter?: number | undefined } | null;
}
