import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Contract, ContractGate } from '../../billing/contract/types.ts';
import type { AwaitingPayment } from '../schema/payment-gate.ts';

type Awaiting = z.input<typeof AwaitingPayment>;

/** What a contract waits for behind its own gate; null for one that waits for none. */
export const awaitingPaymentOf = ({ id, gate }: Contract): Awaiting | null => (gate?.contractId === id ? gateToWire(gate) : null);

export const gateToWire = ({ invoiceAmount, fromCredits, fromWallet, toPay, expires }: Omit<ContractGate, 'contractId'>): Awaiting => ({
  invoice_amount: invoiceAmount,
  from_credits: fromCredits,
  from_wallet: fromWallet,
  to_pay: toPay,
  expires: iso(expires),
});
