import type { Instant } from '../calendar/instant.ts';
import type { Currency } from '../money/currency.ts';

/** Everything a payment can go through. `sandbox` is built in; the others are named in the interface. */
export type ProviderName = 'sandbox' | 'self_handled' | 'cardproc' | 'authorize';

/** What a method is. */
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

/** A method that was just set up. */
export interface NewMethod extends MethodRef {
  type: MethodType;
  details: MethodDetails;
  holderName: string | null;
}

/** What became of setting a method up. */
export type SetupOutcome =
  | { status: 'pending'; reason: string | null }
  | { status: 'succeeded'; method: NewMethod }
  | { status: 'failed'; reason: string };

/** What became of a charge. `askAgainAt` is on the customer's clock; `reason` says why there is no answer yet, where something is amiss. */
export type ChargeOutcome =
  | { status: 'succeeded'; reference: string }
  | { status: 'pending'; reference: string | null; askAgainAt: Instant; reason?: string }
  | { status: 'failed'; reference: string | null; reason: string; retryable: boolean };

/** What became of giving money back. */
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
