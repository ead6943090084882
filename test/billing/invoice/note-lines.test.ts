import fc from 'fast-check';
import { type CreditableInvoice, creditNote } from '../../../billing/invoice/credit-note.ts';
import { linesLeft, spreadOverLines } from '../../../billing/invoice/note-lines.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { BillingError } from '../../../billing/problem.ts';

const cents = (amount: number): string => dec(amount).div(100).toFixed(2);
const lineOf = (id: string, whole: number, tax: number) => ({
  id,
  kind: 'recurring' as const,
  totalExcludingTax: cents(whole - tax),
  taxAmount: cents(tax),
  totalIncludingTax: cents(whole),
});
/** An invoice that was paid with money. */
const invoiceOf = (lines: CreditableInvoice['lines']): CreditableInvoice => {
  const total = sum(lines.map((line) => dec(line.totalIncludingTax))).toFixed(2);
  return { currency: 'usd', total, paidInMoney: total, lines, notes: [] };
};

const aLine = fc.integer({ min: 1, max: 100_000 }).chain((whole) => fc.tuple(fc.constant(whole), fc.integer({ min: 0, max: whole })));

test('an amount of an invoice is a credit note of exactly this amount, with no line giving more than is left of it', () => {
  fc.assert(
    fc.property(fc.array(aLine, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), (wholes, picks) => {
      let invoice = invoiceOf(wholes.map(([whole, tax], index) => lineOf(`Item_${index}`, whole, tax)));
      for (const pick of picks) {
        const left = sum(linesLeft(invoice).map((line) => dec(line.left)))
          .times(100)
          .toNumber();
        if (left === 0) break;
        const amount = cents(1 + (pick % left));
        const note = creditNote(invoice, { to: 'payment', items: spreadOverLines(invoice, amount) });
        expect(note.total).toBe(amount);
        for (const { amount: part, taxAmount, totalExcludingTax } of note.items)
          expect([dec(part).gt(0), dec(taxAmount).gte(0), dec(totalExcludingTax).gte(0)]).toEqual([true, true, true]);
        invoice = { ...invoice, notes: [...invoice.notes, note] };
      }
    }),
  );
});

test('the same share of each line gives the same share of each tax', () => {
  const invoice = invoiceOf([lineOf('Item_1', 11_900, 1_900), lineOf('Item_2', 10_700, 700)]);
  const half = creditNote(invoice, { to: 'wallet', items: spreadOverLines(invoice, '113.00') });
  expect(half.items.map(({ amount, taxAmount }) => [amount, taxAmount])).toEqual([
    ['59.50', '9.50'],
    ['53.50', '3.50'],
  ]);
});

test.each(['0', '-1', '1.001', '20.01', 'all'])('%s of 20.00 is refused', (amount) => {
  expect(() => spreadOverLines(invoiceOf([lineOf('Item_1', 2_000, 0)]), amount)).toThrow(BillingError);
});

test('lines that charge nothing give nothing', () => {
  const credit = { ...lineOf('Item_2', 500, 0), kind: 'credit' as const, totalIncludingTax: '-5.00', totalExcludingTax: '-5.00' };
  const invoice = { ...invoiceOf([lineOf('Item_1', 2_000, 0)]), lines: [lineOf('Item_1', 2_000, 0), credit], total: '15.00' };
  expect(linesLeft(invoice)).toEqual([{ lineId: 'Item_1', left: '20.00' }]);
  expect(spreadOverLines(invoice, '15.00')).toEqual([{ lineId: 'Item_1', amount: '15.00' }]);
});
