import type { Instant } from '../billing/calendar/instant.ts';
import type { Currency } from '../billing/money/currency.ts';

/** Everything a payment can go through. `sandbox` is built in; the others are named in the interface. */
export type ProviderName = 'sandbox' | 'self_handled' | 'cardproc' | 'authorize';

export const PROVIDERS: readonly ProviderName[] = ['sandbox', 'self_handled', 'cardproc', 'authorize'];

export type MethodType = 'card' | 'sepa_debit' | 'vban_bank_transfer_eu';

/** What may be shown of a method; never a number that could be charged. */
export interface MethodDetails {
  brand: string | null;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
}

/** A method as its provider knows it. */
export interface MethodRef {
  reference: string;
  /** the provider's own id of the customer, where it keeps one */
  customerReference: string | null;
}

export interface NewMethod extends MethodRef {
  type: MethodType;
  details: MethodDetails;
  holderName: string | null;
}

export interface SetupRequest {
  /** id of the payment session, also the idempotency key of the set-up */
  token: string;
  customerId: string;
  customerName: string;
  email: string | null;
  /** the provider's id of this customer from an earlier set-up */
  customerReference: string | null;
  /** whether a billing address is to be collected */
  address: boolean;
}

/** What the caller's client-side script needs. Shown once, never stored by us except `reference` and `customerReference`. */
export interface Setup {
  reference: string;
  customerReference: string | null;
  clientSecret: string | null;
  connectedAccountId: string | null;
  publishableKey: string | null;
}

export type SetupOutcome =
  | { status: 'pending'; reason: string | null }
  | { status: 'succeeded'; method: NewMethod }
  | { status: 'failed'; reason: string };

export interface ChargeRequest {
  /** idempotency key as this provider takes it: `keyOf(attempt id)` */
  key: string;
  attemptId: string;
  invoiceId: string;
  method: MethodRef;
  /** decimal text in the currency's minor digits */
  amount: string;
  currency: Currency;
  /** the customer's clock */
  now: Instant;
}

export type ChargeOutcome =
  | { status: 'succeeded'; reference: string }
  | { status: 'pending'; reference: string; askAgainAt: Instant }
  | { status: 'failed'; reference: string | null; reason: string; retryable: boolean };

export interface Lookup {
  key: string;
  /** the provider's id of the charge, when an answer gave it */
  reference: string | null;
  method: MethodRef;
  now: Instant;
}

export interface RefundRequest {
  key: string;
  /** the provider's id of the charge */
  reference: string;
  method: MethodRef;
  amount: string;
  currency: Currency;
}

export type RefundOutcome = { status: 'succeeded'; reference: string } | { status: 'failed'; reason: string };

/** Something the provider tells on its own accord. `id` is the provider's; the same one may come twice and in any order. */
export type Notice = { id: string } & (
  | { type: 'charge'; key: string | null; reference: string; outcome: ChargeOutcome }
  | { type: 'setup'; reference: string; customerReference: string | null; outcome: SetupOutcome }
  | { type: 'refund'; chargeReference: string; reference: string; amount: string; currency: Currency; ours: boolean }
  | {
      type: 'dispute';
      chargeReference: string;
      reference: string;
      amount: string;
      currency: Currency;
      state: 'open' | 'won' | 'lost';
      reason: string;
    }
  | { type: 'method_detached'; methodReference: string }
);

export interface WebhookRequest {
  /** the exact bytes, since signatures are over them */
  body: Buffer;
  header: (name: string) => string;
}

/**
 * The one door to a provider. Methods throw `OutcomeUnknown` when the provider may have acted, `ProviderUnavailable` when it
 * certainly has not; every expected end, a decline included, is a value.
 */
export interface Provider {
  readonly name: ProviderName;
  /** false: payments are recorded by the vendor, nothing is ever charged */
  readonly charges: boolean;
  /** The attempt id in the form this provider takes as an idempotency key. */
  keyOf(attemptId: string): string;
  createSetup(request: SetupRequest): Promise<Setup>;
  /** What became of a set-up. */
  readSetup(setup: { reference: string; customerReference: string | null }): Promise<SetupOutcome>;
  /** The customer's choice of a method, where it reaches us at all (sandbox). */
  confirmSetup?(setup: { reference: string; choice: string }): Promise<SetupOutcome>;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** What became of a charge; null: the provider never got it. */
  lookup(lookup: Lookup): Promise<ChargeOutcome | null>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  detach(method: MethodRef): Promise<void>;
  /** Verifies the signature and reads the notices; throws `WebhookRefused`. */
  readWebhook(request: WebhookRequest): Promise<Notice[]>;
}
