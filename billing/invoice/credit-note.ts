import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, larger, smaller, sum, ZERO } from '../money/decimal.ts';
import { moneyText, roundMoney } from '../money/round.ts';
import { fail } from '../problem.ts';
import type { GivenBack } from './given-back.ts';
import { creditedAmount, givenOf, isCreditable } from './note-lines.ts';
import type { Line } from './types.ts';

/** Where the money of a credit note goes. */
export type CreditTarget = 'wallet' | 'payment';

/** What a note gives back of one line; all amounts positive, `amount` including tax. */
export interface ComputedCreditNoteItem {
  lineId: string;
  amount: string;
  totalExcludingTax: string;
  taxAmount: string;
}

/** A credit note: what is given back of an invoice. `total` is the sum of the items' amounts. */
export interface ComputedCreditNote {
  to: CreditTarget;
  total: string;
  items: ComputedCreditNoteItem[];
}

/** What a credit note has to know of a line. */
export interface CreditableLine extends Pick<Line, 'id' | 'kind' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'> {
  /** what later lines of a change or a correction gave back of it; absent = nothing */
  givenBack?: GivenBack;
}

/** What a credit note has to know of its invoice. */
export interface CreditableInvoice {
  currency: Currency;
  total: string;
  /** still to be paid: a note lowers it before anything is given back; absent = nothing */
  unpaid?: string;
  /** paid in money, wallet use not counted */
  paidInMoney: string;
  /** of that, what providers gave back without a note, or hold back in disputes; absent = nothing */
  takenBack?: string;
  /** paid by prepaid credits, less what notes to the wallet gave back to them; absent = nothing */
  paidByCredits?: string;
  lines: CreditableLine[];
  /** notes written so far */
  notes: WrittenNote[];
}

/** An earlier note. */
interface WrittenNote extends ComputedCreditNote {
  /** the part that lowered what was unpaid; absent = nothing */
  reduced?: string;
}

/** What a caller asks for: `amount` including tax; absent or null = all that is left of the line. */
export interface CreditNoteRequest {
  to: CreditTarget;
  items: { lineId: string; amount?: string | null }[];
}

/** The most that a new note can give back: in all, and to the payment method. */
export interface CreditLimit {
  total: string;
  payment: string;
}

/**
 * How much can still be given back. All notes of an invoice together give back at most its total. A note to the payment
 * method gives back at most the sum of three parts: what is unpaid, which it lowers first; what prepaid credits have
 * paid, which they get back next; and what was paid in money and is still there.
 *
 * @example
 * const paid = { currency: 'usd', total: '99.00', paidInMoney: '94.00', lines: [], notes: [] };
 * creditLimit(paid) // { total: '99.00', payment: '94.00' }
 * @example
 * const refunded = { currency: 'usd', total: '100.00', paidInMoney: '100.00', takenBack: '5.55', lines: [], notes: [] };
 * creditLimit(refunded) // { total: '100.00', payment: '94.45' }
 * @example
 * const partlyPaid = { currency: 'usd', total: '100.00', unpaid: '70.00', paidInMoney: '0', lines: [], notes: [] };
 * creditLimit(partlyPaid) // { total: '100.00', payment: '70.00' }
 */
export function creditLimit(invoice: CreditableInvoice): CreditLimit {
  const { currency, total, unpaid = '0', paidInMoney, takenBack = '0', paidByCredits = '0', notes } = invoice;
  const given = sum(notes.map((note) => dec(note.total)));
  const moved = sum(notes.filter(({ to }) => to === 'payment').map((note) => dec(note.total).minus(note.reduced ?? '0')));
  const left = larger(dec(total).minus(given), ZERO);
  const money = larger(dec(paidInMoney).minus(takenBack).plus(paidByCredits).minus(moved), ZERO);
  return { total: moneyText(left, currency), payment: moneyText(smaller(left, money.plus(unpaid)), currency) };
}

/**
 * Works out a credit note. The tax of a line is split so that several partial notes add up to the line exactly, to the
 * last cent: what all notes together have given back of a line carries that share of its tax, rounded once. What a
 * change or a correction gave back of the line by lines of its own is not given back again.
 *
 * @throws BillingError `no_items`, `unknown_line`, `line_not_creditable` (a credit or the closing wallet line),
 *   `invalid_decimal`, `too_many_digits`, `not_positive`, `exceeds_line`, `exceeds_invoice`, `exceeds_paid`
 * @example
 * const amounts = { totalExcludingTax: '10.00', taxAmount: '1.00', totalIncludingTax: '11.00' };
 * const line = { id: 'Item_1', kind: 'recurring', ...amounts };
 * const invoice = { currency: 'usd', total: '11.00', paidInMoney: '11.00', lines: [line], notes: [] };
 * const first = creditNote(invoice, { to: 'wallet', items: [{ lineId: 'Item_1', amount: '3.67' }] });
 * first.items[0].taxAmount // '0.33'
 * const again = { to: 'wallet', items: [{ lineId: 'Item_1', amount: '3.67' }] };
 * const second = creditNote({ ...invoice, notes: [first] }, again);
 * second.items[0].taxAmount // '0.34'
 * @example
 * const amounts = { totalExcludingTax: '100.00', taxAmount: '0.00', totalIncludingTax: '100.00' };
 * const line = { id: 'Item_1', kind: 'recurring', ...amounts, givenBack: { amount: '50.00', taxAmount: '0.00' } };
 * const invoice = { currency: 'usd', total: '100.00', paidInMoney: '100.00', lines: [line], notes: [] };
 * creditNote(invoice, { to: 'wallet', items: [{ lineId: 'Item_1' }] }).total // '50.00'
 */
export function creditNote(invoice: CreditableInvoice, request: CreditNoteRequest): ComputedCreditNote {
  if (request.items.length === 0) return fail('items', 'no_items', 'give at least one invoice item');
  const limit = creditLimit(invoice);
  const items: ComputedCreditNoteItem[] = [];
  for (const [index, requested] of request.items.entries()) items.push(noteItem(invoice, requested, items, `items[${index}]`));
  const total = sum(items.map((item) => dec(item.amount)));
  if (total.gt(limit.total)) return fail('items', 'exceeds_invoice', `give at most ${limit.total}, which is left of the invoice`);
  if (request.to === 'payment' && total.gt(limit.payment)) {
    return fail('to', 'exceeds_paid', `give at most ${limit.payment} to the payment method and the rest to the wallet`);
  }
  return { to: request.to, total: moneyText(total, invoice.currency), items: oneForEachLine(items, invoice.currency) };
}

/** One item for each line, with the sum of what was asked of it: later notes count what this one stores of a line. */
function oneForEachLine(items: readonly ComputedCreditNoteItem[], currency: Currency): ComputedCreditNoteItem[] {
  const added = (one: string, other: string): string => moneyText(dec(one).plus(other), currency);
  const byLine = new Map<string, ComputedCreditNoteItem>();
  for (const { lineId, amount, totalExcludingTax, taxAmount } of items) {
    const { amount: gross, totalExcludingTax: net, taxAmount: tax } = byLine.get(lineId) ?? NOTHING;
    byLine.set(lineId, {
      lineId,
      amount: added(amount, gross),
      totalExcludingTax: added(totalExcludingTax, net),
      taxAmount: added(taxAmount, tax),
    });
  }
  return [...byLine.values()];
}

const NOTHING = { amount: '0', totalExcludingTax: '0', taxAmount: '0' };

function noteItem(
  invoice: CreditableInvoice,
  requested: CreditNoteRequest['items'][number],
  sameNote: ComputedCreditNoteItem[],
  field: string,
): ComputedCreditNoteItem {
  const { currency } = invoice;
  const line = invoice.lines.find(({ id }) => id === requested.lineId);
  if (line === undefined) return fail(`${field}.invoice_item_id`, 'unknown_line', 'give an item of this invoice');
  const whole = dec(line.totalIncludingTax);
  if (!isCreditable(line)) return fail(`${field}.invoice_item_id`, 'line_not_creditable', 'give an item that charges something');
  const before = givenOf(invoice, line, sameNote);
  const given = sum(before.map((item) => dec(item.amount)));
  const left = larger(whole.minus(given), ZERO);
  const amount =
    requested.amount === undefined || requested.amount === null ? left : creditedAmount(requested.amount, currency, `${field}.amount`);
  if (amount.gt(left))
    return fail(`${field}.amount`, 'exceeds_line', `give at most ${moneyText(left, currency)}, which is left of the item`);
  if (!amount.gt(0)) return fail(`${field}.amount`, 'not_positive', 'give an item that is not given back in full yet');
  const taxAmount = taxOf(line, { given, amount, taxBefore: sum(before.map((item) => dec(item.taxAmount))) }, currency);
  return {
    lineId: line.id,
    amount: moneyText(amount, currency),
    totalExcludingTax: moneyText(amount.minus(taxAmount), currency),
    taxAmount: moneyText(taxAmount, currency),
  };
}

/**
 * The share of the line's tax that all notes together give back, less what earlier ones gave back, so that neither tax
 * nor net amount exceeds what is left.
 */
function taxOf(
  line: CreditableLine,
  { given, amount, taxBefore }: { given: Decimal; amount: Decimal; taxBefore: Decimal },
  currency: Currency,
): Decimal {
  const whole = dec(line.totalIncludingTax);
  const byNow = roundMoney(dec(line.taxAmount).times(given.plus(amount)).div(whole), currency);
  const left = dec(line.taxAmount).minus(taxBefore);
  // a change rounds the tax of what it gives back from the rate, so that it may differ from the share by a cent
  const atLeast = larger(left.minus(whole.minus(given).minus(amount)), ZERO);
  return larger(atLeast, smaller(byNow.minus(taxBefore), smaller(left, amount)));
}
