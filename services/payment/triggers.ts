import { takes } from '../../billing/lifecycle/machine.ts';
import { type PaymentAttemptTrigger, paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';

const TRIGGERS: Record<ChargeOutcome['status'], PaymentAttemptTrigger> = { succeeded: 'confirm', pending: 'wait', failed: 'refuse' };

/** Whether an attempt takes an outcome: what comes again, or too late, changes nothing. */
export const takesOutcome = ({ status }: Pick<Attempt, 'status'>, outcome: ChargeOutcome): boolean =>
  takes(paymentAttemptMachine, status, TRIGGERS[outcome.status]);
