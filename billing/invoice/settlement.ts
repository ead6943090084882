import type { Instant } from '../calendar/instant.ts';
import type { Currency } from '../money/currency.ts';
import { dec, smaller, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';

/** An invoice that is `ready_for_payment`; `remaining` is what of its total isn't paid yet. */
export interface OpenInvoice {
  id: string;
  /** when it was made */
  date: Instant;
  dueDate: Instant;
  remaining: string;
}

/** What says when an open invoice has its turn among those of its customer. */
export type InvoiceTurn = Pick<OpenInvoice, 'id' | 'date' | 'dueDate'>;

/** What the wallet pays of one invoice; `remaining` is left to pay afterwards. */
export interface WalletPayment {
  invoiceId: string;
  amount: string;
  remaining: string;
}

/** The payments a wallet makes and what stays in it. */
export interface Settlement {
  payments: WalletPayment[];
  balance: string;
}

/**
 * Lets a wallet pay open invoices of its currency: the earliest due first, of those due at the same instant the one
 * made first, each as far as the money goes. Wallet use is a payment, never a line of an invoice.
 *
 * @param balance the wallet's money, zero or more
 * @param invoices open invoices of the same customer and currency, in any order
 * @example
 * const first = { id: 'Inv_1', date: at('2012-05-08'), dueDate: at('2012-05-08'), remaining: '15.49' };
 * const second = { id: 'Inv_2', date: at('2012-06-01'), dueDate: at('2012-06-01'), remaining: '29.95' };
 * settle('475.81', [second, first], 'usd').balance // '430.37'
 */
export function settle(balance: string, invoices: readonly OpenInvoice[], currency: Currency): Settlement {
  let left = dec(balance);
  const payments: WalletPayment[] = [];
  for (const invoice of [...invoices].sort(oldestDueFirst)) {
    const owed = dec(invoice.remaining);
    const paid = smaller(left, owed);
    if (!paid.gt(ZERO)) continue;
    left = left.minus(paid);
    payments.push({ invoiceId: invoice.id, amount: moneyText(paid, currency), remaining: moneyText(owed.minus(paid), currency) });
  }
  return { payments, balance: moneyText(left, currency) };
}

/**
 * The earliest due first, of those the one made first, of those the smallest id: the order in which open invoices are
 * paid.
 */
export function oldestDueFirst(a: InvoiceTurn, b: InvoiceTurn): number {
  return a.dueDate - b.dueDate || a.date - b.date || (a.id < b.id ? -1 : 1);
}
