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
