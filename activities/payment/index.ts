import type { Charged, NextPayment } from '../../workflows/payment/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { beating } from './beating.ts';
import { chargeAttempt } from './charge.ts';
import { detachAtProvider } from './detach.ts';
import { nextPayment } from './next.ts';
import { recordAttempt } from './record.ts';
import { refundAtProvider } from './refund.ts';

/** What payment workflows can have done. Each is one transaction or one outside call, and can be run twice. */
export interface PaymentActivities {
  /** Finds the next thing to do for an invoice and claims it. */
  nextPayment(input: { invoiceId: string }): Promise<NextPayment>;
  /** Charges, or asks what became of the charge made before. */
  chargeAttempt(input: { attemptId: string; fence: number }): Promise<Charged>;
  /** Writes what a charge came to. */
  recordAttempt(input: { attemptId: string; fence: number; charged: Charged }): Promise<void>;
  detachAtProvider(input: { methodId: string }): Promise<void>;
  refundAtProvider(input: { refundId: string }): Promise<void>;
}

export function paymentActivities(dependencies: Dependencies): PaymentActivities {
  return {
    nextPayment: nextPayment(dependencies),
    chargeAttempt: beating(chargeAttempt(dependencies)),
    recordAttempt: recordAttempt(dependencies),
    detachAtProvider: beating(detachAtProvider(dependencies)),
    refundAtProvider: beating(refundAtProvider(dependencies)),
  };
}
