import type { Currency } from '../money/currency.ts';
import { dec, smaller, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';

/** What a gate collects; amounts in the contract's currency. */
export interface GateAmounts {
  /** sum of the invoices that the change or the signing makes at once */
  invoiceAmount: string;
  /** prepaid credits that are held for them */
  fromCredits: string;
  /** money of the wallet that is held for them */
  fromWallet: string;
  /** what is charged */
  toPay: string;
}

/**
 * Divides what a change or a signing makes at once among prepaid credits, the wallet and the payment method. After the
 * credits, what it gives back itself pays first, then the wallet.
 *
 * @param totals of the invoices
 * @param byCredits what prepaid credits pay of each of them
 * @param surplus what the change gives to the wallet
 * @param available what the wallet has and doesn't hold for another gate
 * @example
 * gateAmounts({ totals: ['150.00'], byCredits: ['30.00'], surplus: '0', available: '20.00' }, 'usd')
 * // { invoiceAmount: '150.00', fromCredits: '30.00', fromWallet: '20.00', toPay: '100.00' }
 */
export function gateAmounts(
  {
    totals,
    byCredits,
    surplus,
    available,
  }: { totals: readonly string[]; byCredits: readonly string[]; surplus: string; available: string },
  currency: Currency,
): GateAmounts {
  const total = sum(totals.map(dec));
  const credits = sum(byCredits.map(dec));
  const due = total.minus(credits);
  const open = due.minus(smaller(due, dec(surplus)));
  const held = smaller(open, dec(available).gt(ZERO) ? dec(available) : ZERO);
  const money = (value: Parameters<typeof moneyText>[0]) => moneyText(value, currency);
  return { invoiceAmount: money(total), fromCredits: money(credits), fromWallet: money(held), toPay: money(open.minus(held)) };
}

/** An invoice that a gate pays. */
export interface GatedInvoice {
  id: string;
  total: string;
}

/**
 * The invoice that the charge pays first: the largest one, the first of equals. What the charge leaves over pays the
 * others from the wallet.
 *
 * @example chargedInvoice([{ id: 'Inv_1', total: '20.00' }, { id: 'Inv_2', total: '150.00' }])?.id // 'Inv_2'
 */
export function chargedInvoice(invoices: readonly GatedInvoice[]): GatedInvoice | null {
  return invoices.reduce<GatedInvoice | null>(
    (largest, invoice) => (largest === null || dec(invoice.total).gt(dec(largest.total)) ? invoice : largest),
    null,
  );
}
