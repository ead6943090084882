import type { Instant } from '../../billing/calendar/instant.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { PaymentGateState } from '../../billing/lifecycle/payment-gate.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Database } from '../../db/connect.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { waitsForCustomer } from '../payment/second-step.ts';
import type { PortalVisitor } from './token.ts';

/** A change or a signing that waits for its payment, or did, as its customer sees it. */
export interface PortalGate {
  contractId: string;
  plan: string;
  status: PaymentGateState;
  currency: Currency;
  invoiceAmount: string;
  fromCredits: string;
  fromWallet: string;
  toPay: string;
  expires: Instant;
  /** the payment under way, and whether the customer has to confirm it at the bank */
  underWay: { id: string; waitsForCustomer: boolean } | null;
}

/** A gate of the visitor by the contract that it makes; null when the visitor has none with this id. */
export async function portalGate(db: Database, { vendorId, customerId }: PortalVisitor, contractId: string): Promise<PortalGate | null> {
  const em = db.em();
  const gate = await em.findOne(PaymentGate, { contractId, vendorId, customerId });
  if (gate === null) return null;
  const attempt = await em.findOne(PaymentAttempt, { gateId: contractId, status: 'processing' });
  const { status, currency, invoiceAmount, fromCredits, fromWallet, toPay, expires, contract } = gate;
  return {
    ...{ contractId, plan: planName(contract.terms), status, currency, invoiceAmount, fromCredits, fromWallet, toPay, expires },
    underWay: attempt === null ? null : { id: attempt.id, waitsForCustomer: waitsForCustomer(attempt) },
  };
}
