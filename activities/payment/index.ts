import type { AttemptRef, Charged, RecordedCharge, RecordedOutcome } from '../../workflows/payment/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { chargeAttempt } from './charge.ts';
import { detachAtProvider } from './detach.ts';
import { recordAttemptActivity } from './record.ts';
import { refundAtProvider } from './refund.ts';

/** What payment workflows call. Each is one transaction or one outside call, and can run twice. */
export interface PaymentActivities {
  /** Charges, or asks for the outcome of the charge made before. */
  chargeAttempt(attempt: AttemptRef): Promise<Charged>;
  /** Writes the outcome of a charge. */
  recordAttempt(recorded: RecordedCharge): Promise<RecordedOutcome>;
  detachAtProvider(input: { methodId: string }): Promise<void>;
  refundAtProvider(input: { refundId: string }): Promise<void>;
}

export function paymentActivities(dependencies: ActivityDependencies): PaymentActivities {
  return {
    chargeAttempt: withHeartbeat(chargeAttempt(dependencies)),
    recordAttempt: recordAttemptActivity(dependencies),
    detachAtProvider: withHeartbeat(detachAtProvider(dependencies)),
    refundAtProvider: withHeartbeat(refundAtProvider(dependencies)),
  };
}
