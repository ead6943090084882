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
  /** asks for a page of the provider, to which the customer is sent; absent: the caller's own script collects */
  hosted?: HostedSetup;
}

export interface HostedSetup {
  /** where the provider sends the customer afterwards; what is in the query there proves nothing */
  returnUrl: string;
  cancelUrl: string;
  /** in which the customer usually pays; some types of methods depend on it */
  currency: Currency;
}

/** A page on which a customer goes on. With `fields` a form is sent to it, otherwise it is opened by its address. */
export interface HostedPage {
  url: string;
  fields: Readonly<Record<string, string>> | null;
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
  /** only where one was asked for and the provider has one; it can contain a secret, so it is never stored */
  page?: HostedPage;
}

export interface ProviderChargeRequest {
  /** idempotency key as this provider takes it: `attemptKey` of the attempt's id */
  key: string;
  attemptId: string;
  /** id of what is paid, for the provider's own records: an invoice, or a contract behind a payment gate */
  subject: string;
  method: MethodRef;
  /** decimal text in the currency's minor digits */
  amount: string;
  currency: Currency;
  /** the customer's clock */
  now: Instant;
  /**
   * where the customer comes back to after confirming at the bank; absent or null: no customer waits, so a charge that
   * must be confirmed fails
   */
  returnUrl?: string | null;
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

/** How a customer confirms a charge at the bank; such a charge is `pending` with the reason `needs_action`. */
export interface SecondStep {
  /** The page on which the customer confirms, which can contain a secret; null: there is nothing to confirm. */
  pageOf(charge: Lookup): Promise<string | null>;
  /** Ends a charge that nobody has confirmed, so that it never takes money; its outcome then, null: there is none. */
  giveUp(charge: Lookup): Promise<ChargeOutcome | null>;
  /** The customer's decision; only the sandbox gets it through us. */
  decide?(charge: { key: string; approved: boolean }): Promise<void>;
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
  /** The outcome of a charge; null: the provider never got it, or doesn't show it yet. */
  lookup(lookup: Lookup): Promise<ChargeOutcome | null>;
  /** ms after a call within which its charge is shown at the latest; absent: at once */
  readonly shownWithin?: number;
  /** Only where customers confirm charges at their bank. */
  readonly secondStep?: SecondStep;
  refund(request: RefundRequest): Promise<RefundOutcome>;
  detach(method: MethodRef): Promise<void>;
  /** Verifies the signature and reads the notices; throws `WebhookRefused`. */
  readWebhook(request: WebhookRequest): Promise<Notice[]>;
}
