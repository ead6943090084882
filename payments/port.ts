import type { Instant } from '../billing/calendar/instant.ts';
import type { Currency } from '../billing/money/currency.ts';
import type { ChargeOutcome, MethodRef, Notice, ProviderName, RefundOutcome, SetupOutcome } from '../billing/payment/types.ts';

export type * from '../billing/payment/types.ts';

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

/**
 * What the caller's client-side script needs. It is shown once; only `reference` and `customerReference` are stored.
 */
export interface Setup {
  reference: string;
  customerReference: string | null;
  clientSecret: string | null;
  connectedAccountId: string | null;
  publishableKey: string | null;
}

export interface ProviderChargeRequest {
  /** idempotency key as this provider takes it: `attemptKey` of the attempt's id */
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

export interface Lookup {
  key: string;
  /** the provider's id of the charge, where a response gave it */
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

export interface WebhookRequest {
  /** the exact bytes, which signatures cover */
  body: Buffer;
  header: (name: string) => string;
}

/**
 * The one interface to a provider. Methods throw `OutcomeUnknown` when the provider may have acted,
 * `ProviderUnavailable` when it certainly has not; every expected result, a decline included, is a value.
 */
export interface Provider {
  readonly name: ProviderName;
  /** false: payments are recorded by the vendor, nothing is ever charged */
  readonly charges: boolean;
  createSetup(request: SetupRequest): Promise<Setup>;
  /** The outcome of a set-up. */
  readSetup(setup: { reference: string; customerReference: string | null }): Promise<SetupOutcome>;
  /** Confirms with the customer's choice of a method; only the sandbox gets it through us. */
  confirmSetup?(setup: { reference: string; choice: string }): Promise<SetupOutcome>;
  charge(request: ProviderChargeRequest): Promise<ChargeOutcome>;
  /** The outcome of a charge; null: the provider never got it. */
  lookup(lookup: Lookup): Promise<ChargeOutcome | null>;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  detach(method: MethodRef): Promise<void>;
  /** Verifies the signature and reads the notices; throws `WebhookRefused`. */
  readWebhook(request: WebhookRequest): Promise<Notice[]>;
}
