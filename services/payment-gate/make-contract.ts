import type { Tx } from '../../db/transaction.ts';
import { signPaid } from '../contract/sign.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import type { GatedAct } from './gate.ts';

/**
 * Signs a contract that was paid, as of the instant at which its gate was opened.
 *
 * @throws Refusal `estimate_outdated` and whatever else is in the way by now
 */
export const makeContract = (tx: Tx, { input, basis }: Extract<GatedAct, { kind: 'sign' }>, payment: GatePayment): Promise<void> =>
  signPaid(tx, input, basis, payment);
