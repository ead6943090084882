import type { AttemptOutcome, AttemptRef, Charged } from '../../workflows/payment/messages.ts';
import { beating } from '../beating.ts';
import type { Dependencies } from '../dependencies.ts';
import { chargeAttempt } from './charge.ts';
import { detachAtProvider } from './detach.ts';
import { recordAttempt } from './record.ts';
import { refundAtProvider } from './refund.ts';

/** What payment workflows can have done. Each is one transaction or one outside call, and can be run twice. */
export interface PaymentActivities {
  /** Charges, or asks what became of the charge made before. */
  chargeAttempt(attempt: AttemptRef): Promise<Charged>;
  /** Writes what a charge came to. */
  recordAttempt(recorded: AttemptRef & { charged: Charged }): Promise<AttemptOutcome>;
  detachAtProvider(input: { methodId: string }): Promise<void>;
  refundAtProvider(input: { refundId: string }): Promise<void>;
}

export function paymentActivities(dependencies: Dependencies): PaymentActivities {
  return {
    chargeAttempt: beating(chargeAttempt(dependencies)),
    recordAttempt: recordAttempt(dependencies),
    detachAtProvider: beating(detachAtProvider(dependencies)),
    refundAtProvider: beating(refundAtProvider(dependencies)),
  };
}
