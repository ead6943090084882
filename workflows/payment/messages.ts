import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';

export interface PaymentRef {
  invoiceId: string;
}

export interface MethodOfRef {
  methodId: string;
}

export interface RefundRef {
  refundId: string;
}

/** The next thing to do for an invoice. `clockId` not null: its test clock decides when, not the wall. */
export type NextPayment =
  | { todo: 'charge'; attemptId: string; fence: number }
  | { todo: 'wait'; until: Instant; clockId: string | null; why: string }
  | { todo: 'nothing' };

/** What a charge came to; `superseded`: somebody else works on the attempt, or it has ended. */
export type Charged = ChargeOutcome | { status: 'superseded' } | { status: 'given_up' };
