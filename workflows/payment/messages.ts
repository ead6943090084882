import type { ChargeOutcome } from '../../billing/payment/types.ts';

export interface AttemptRef {
  attemptId: string;
}

export interface DetachInput {
  methodId: string;
}

export interface RefundRef {
  refundId: string;
}

/**
 * The result of a charge. `ended`: the attempt had its outcome already; `given_up`: the customer may not be charged any
 * more and never was.
 */
export type Charged = ChargeOutcome | { status: 'ended' } | { status: 'given_up' };

/** The outcome of an attempt, for callers that wait for it. */
export interface AttemptOutcome {
  status: 'processing' | 'succeeded' | 'failed';
}

/** What the activity that writes the outcome of a charge is given. */
export interface RecordedCharge extends AttemptRef {
  charged: Charged;
  /** how many signals the run had received when it had its provider asked; absent in runs of older code */
  signals?: number | undefined;
}

/** What it answers. */
export interface RecordedOutcome extends AttemptOutcome {
  /** as in the activity's input */
  signals?: number | undefined;
}
