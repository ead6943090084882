import { allocate } from '../money/allocate.ts';
import type { Currency } from '../money/currency.ts';
import { minorDigits } from '../money/currency.ts';
import { type Decimal, dec, larger, parseDecimal, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { fail } from '../problem.ts';
import type { ComputedCreditNoteItem, CreditableInvoice, CreditableLine, CreditNoteRequest } from './credit-note.ts';
import type { GivenBack } from './given-back.ts';

/** What earlier notes, and lines of changes and corrections, gave back of a line. */
export function givenOf({ notes }: CreditableInvoice, line: CreditableLine, sameNote: readonly ComputedCreditNoteItem[] = []): GivenBack[] {
  const noted: GivenBack[] = [...notes.flatMap((note) => note.items), ...sameNote].filter(({ lineId }) => lineId === line.id);
  return line.givenBack === undefined ? noted : [...noted, line.givenBack];
}

/** Whether a line charges something that a credit note can give back. */
export const isCreditable = ({ kind, totalIncludingTax }: CreditableLine): boolean =>
  kind !== 'wallet' && kind !== 'credit' && dec(totalIncludingTax).gt(0);

/**
 * What a credit note can still give back of each line, tax included; lines of which nothing is left are left out.
 *
 * @example
 * const amounts = { totalExcludingTax: '10.00', taxAmount: '0.00', totalIncludingTax: '10.00' };
 * const line = { id: 'Item_1', kind: 'recurring', ...amounts, givenBack: { amount: '4.00', taxAmount: '0.00' } };
 * linesLeft({ currency: 'usd', total: '10.00', paidInMoney: '0.00', lines: [line], notes: [] })
 * // [{ lineId: 'Item_1', left: '6.00' }]
 */
export function linesLeft(invoice: CreditableInvoice): { lineId: string; left: string }[] {
  return invoice.lines.flatMap((line) => {
    const given = sum(givenOf(invoice, line).map(({ amount }) => dec(amount)));
    const left = larger(dec(line.totalIncludingTax).minus(given), ZERO);
    return isCreditable(line) && left.gt(0) ? [{ lineId: line.id, left: moneyText(left, invoice.currency) }] : [];
  });
}

/**
 * What a caller asks to give back of one line or of a whole invoice, tax included.
 *
 * @throws BillingError `invalid_decimal`, `too_many_digits`, `not_positive`
 * @example creditedAmount('10.5', 'usd', 'amount').toFixed(2) // '10.50'
 */
export function creditedAmount(input: string, currency: Currency, field: string): Decimal {
  const amount = parseDecimal(input, field);
  const digits = minorDigits(currency);
  if (amount.decimalPlaces() > digits) return fail(field, 'too_many_digits', `give at most ${digits} digits after the decimal point`);
  return amount.gt(0) ? amount : fail(field, 'not_positive', 'give more than zero, or leave it out for all that is left');
}

/**
 * The items of a credit note that gives back an amount of a whole invoice, tax included: each line gives its share of
 * what is left of all, so that every tax rate gives its share too. The shares add up to the amount.
 *
 * @throws BillingError of `creditedAmount`; `exceeds_invoice` for more than is left of all lines
 * @example
 * const of = (id, whole) => ({ id, kind: 'recurring', totalExcludingTax: whole, taxAmount: '0.00', totalIncludingTax: whole });
 * const lines = [of('Item_1', '30.00'), of('Item_2', '10.00')];
 * spreadOverLines({ currency: 'usd', total: '40.00', paidInMoney: '40.00', lines, notes: [] }, '10.01')
 * // [{ lineId: 'Item_1', amount: '7.51' }, { lineId: 'Item_2', amount: '2.50' }]
 */
export function spreadOverLines(invoice: CreditableInvoice, input: string): CreditNoteRequest['items'] {
  const { currency } = invoice;
  const amount = creditedAmount(input, currency, 'amount');
  const lines = linesLeft(invoice);
  const left = lines.map((line) => dec(line.left));
  if (amount.gt(sum(left))) return fail('amount', 'exceeds_invoice', `give at most ${moneyText(sum(left), currency)}, which is left`);
  return allocate(amount, left, currency).flatMap((part, index) => {
    const lineId = lines[index]?.lineId;
    return lineId === undefined || !part.gt(0) ? [] : [{ lineId, amount: moneyText(part, currency) }];
  });
}
