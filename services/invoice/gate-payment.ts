import type { Instant } from '../../billing/calendar/instant.ts';
import { dec, smaller, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { type CreditHold, heldFor } from '../payment-gate/collectable.ts';
import type { WalletTask } from '../wallet/move.ts';

/**
 * The money of a payment gate: it pays the invoices of what it was opened for, all of them and nothing else. The charge
 * is booked already.
 */
export interface GatePayment {
  /** what the wallet held for it */
  fromWallet: string;
  /** what it held of prepaid credits */
  holds: readonly CreditHold[];
  charged: {
    /** the invoice that it pays first */
    invoiceId: string;
    amount: string;
    transactionId: string;
    /** the attempt */
    occasion: string;
  };
  at: Instant;
}

/** What the charge pays of its invoice: what prepaid credits leave of it. */
export function chargedOf(invoice: { id: string; total: string }, { charged, holds }: GatePayment): string {
  if (charged.invoiceId !== invoice.id) return '0';
  return smaller(dec(charged.amount), dec(invoice.total).minus(heldFor(holds, invoice.id))).toFixed();
}

/**
 * The wallet's part: what the charge leaves over comes in, and with what was held and what the change gives back it
 * pays what the charge hasn't.
 */
export function gatedTask(task: WalletTask, payment: GatePayment): WalletTask {
  const { fromWallet, holds, charged, at } = payment;
  const { currency, credits } = task;
  const own = task.newInvoices.find(({ id }) => id === charged.invoiceId);
  if (own === undefined) throw new Error(`the invoice ${charged.invoiceId} of a gate was not made`);
  const paid = dec(chargedOf({ id: own.id, total: own.remaining }, payment));
  const rest = dec(charged.amount).minus(paid);
  const left = { amount: moneyText(rest, currency), description: 'Payment beyond what was due', invoiceId: own.id };
  const over = rest.gt(0) ? [{ ...left, kind: 'refund' as const, occasion: `overpaid:${charged.occasion}`, at }] : [];
  return {
    ...task,
    at,
    pays: true,
    credits: [...credits, ...over],
    newInvoices: task.newInvoices.map((one) => (one === own ? { ...one, remaining: dec(one.remaining).minus(paid).toFixed() } : one)),
    onlyHolds: holds,
    only: sum([dec(fromWallet), rest, ...credits.map(({ amount }) => dec(amount))]).toFixed(),
  };
}
