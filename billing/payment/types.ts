import type { Instant } from '../calendar/instant.ts';
import type { Currency } from '../money/currency.ts';

/** The providers that a payment can go through. `sandbox` is built in, and responses of the API call it `cardproc`. */
export type ProviderName = 'sandbox' | 'self_handled' | 'cardproc' | 'authorize';

/** The type of a payment method. */
export type MethodType = 'card' | 'sepa_debit' | 'vban_bank_transfer_eu';

/** What may be shown of a payment method; never a number that could be charged. */
export interface MethodDetails {
  brand: string | null;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
}

/** A payment method as its provider knows it. */
export interface MethodRef {
  reference: string;
  /** the provider's own id of the customer, where it has one */
  customerReference: string | null;
}

/** A payment method that was just set up. */
export interface NewMethod extends MethodRef {
  type: MethodType;
  details: MethodDetails;
  holderName: string | null;
}

/** The outcome of setting up a payment method. */
export type SetupOutcome =
  | { status: 'pending'; reason: string | null }
  | { status: 'succeeded'; method: NewMethod }
  | { status: 'failed'; reason: string };

/** The reason of a charge that the customer has to confirm at the bank. */
export const NEEDS_ACTION = 'needs_action';

/**
 * The outcome of a charge. `askAgainAt` is on the customer's clock; `reason` says why there is no answer yet, where
 * something is wrong.
 */
export type ChargeOutcome =
  | { status: 'succeeded'; reference: string }
  | { status: 'pending'; reference: string | null; askAgainAt: Instant; reason?: string }
  | { status: 'failed'; reference: string | null; reason: string; retryable: boolean };

/** The outcome of a refund. */
export type RefundOutcome = { status: 'succeeded'; reference: string } | { status: 'failed'; reason: string };

/**
 * What a provider reports without being asked. `id` is the provider's; the same notice may come twice, and notices may
 * come in any order.
 */
export type Notice = { id: string } & (
  | { type: 'charge'; key: string | null; reference: string; outcome: ChargeOutcome }
  | { type: 'setup'; reference: string; customerReference: string | null; outcome: SetupOutcome }
  | {
      type: 'refund';
      /** when the provider made it known */
      at: Instant;
      /** the key we gave it, as the provider takes keys; null: it was made at the provider alone */
      key: string | null;
      chargeReference: string;
      reference: string;
      amount: string;
      /** null: that of the charge */
      currency: Currency | null;
      /** why the money came back to the provider after all; null: it didn't */
      failure: string | null;
    }
  | {
      /** a charge that was taken back as a whole before its bank settled it */
      type: 'void';
      /** when the provider made it known */
      at: Instant;
      chargeReference: string;
    }
  | {
      type: 'dispute';
      /** when the provider made it known */
      at: Instant;
      chargeReference: string;
      reference: string;
      amount: string;
      currency: Currency;
      state: 'open' | 'won' | 'lost';
      reason: string;
    }
  | { type: 'method_detached'; methodReference: string }
);

/** A notice as it is kept: without what a payment method is called. */
export type KeptNotice =
  | Exclude<Notice, { type: 'setup' }>
  | (Omit<Extract<Notice, { type: 'setup' }>, 'outcome'> & { outcome: Pick<SetupOutcome, 'status'> });
