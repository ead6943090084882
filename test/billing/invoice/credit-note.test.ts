import fc from 'fast-check';
import {
  type ComputedCreditNote,
  type CreditableInvoice,
  type CreditNoteRequest,
  creditLimit,
  creditNote,
} from '../../../billing/invoice/credit-note.ts';
import { applyTax } from '../../../billing/invoice/tax.ts';
import type { LineKind } from '../../../billing/invoice/types.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { runs } from '../../support/runs.ts';

type NoteLine = CreditableInvoice['lines'][number];

function line(id: string, excluding: string, tax: string, kind: LineKind = 'recurring'): NoteLine {
  return { id, kind, totalExcludingTax: excluding, taxAmount: tax, totalIncludingTax: moneyText(dec(excluding).plus(tax), 'usd') };
}

/** 100 less 10, tax 10 % on top; the wallet paid 5.00 of it, a card 94.00. */
function discounted(notes: ComputedCreditNote[] = []): CreditableInvoice {
  return { currency: 'usd', total: '99.00', paidInMoney: '94.00', lines: [line('Item_1', '90.00', '9.00')], notes };
}

function request(to: 'wallet' | 'payment', ...amounts: (string | null)[]): CreditNoteRequest {
  return { to, items: amounts.map((amount) => ({ lineId: 'Item_1', amount })) };
}

test('to the payment method: what is unpaid is lowered first, and only what moves beyond it is limited', () => {
  const lines = [line('Item_1', '100.00', '0.00')];
  const invoice: CreditableInvoice = { currency: 'usd', total: '100.00', unpaid: '70.00', paidInMoney: '20.00', lines, notes: [] };
  expect(creditLimit(invoice)).toEqual({ total: '100.00', payment: '90.00' });
  const first = creditNote(invoice, request('payment', '75'));
  expect(creditLimit({ ...invoice, unpaid: '0.00', notes: [{ ...first, reduced: '70.00' }] })).toEqual({
    total: '25.00',
    payment: '15.00',
  });
  expect(() => creditNote(invoice, request('payment', '90.01'))).toThrow('to: give at most 90.00 to the payment method');
});

test('at most 94.00 of 99.00 go to the payment method, all 99.00 can be given back', () => {
  expect(creditLimit(discounted())).toEqual({ total: '99.00', payment: '94.00' });
  expect(() => creditNote(discounted(), request('payment', '94.01'))).toThrow(
    'to: give at most 94.00 to the payment method and the rest to the wallet',
  );
  expect(() => creditNote(discounted(), request('payment', null))).toThrow('to: give at most 94.00');
  expect(creditNote(discounted(), request('payment', '94.00'))).toEqual({
    to: 'payment',
    total: '94.00',
    items: [{ lineId: 'Item_1', amount: '94.00', totalExcludingTax: '85.45', taxAmount: '8.55' }],
  });
});

test('after 94.00 to the payment method 5.00 are left for the wallet, and then nothing', () => {
  const first = creditNote(discounted(), request('payment', '94.00'));
  expect(creditLimit(discounted([first]))).toEqual({ total: '5.00', payment: '0.00' });
  expect(() => creditNote(discounted([first]), request('payment', '0.01'))).toThrow('to: give at most 0.00');
  const second = creditNote(discounted([first]), request('wallet', null));
  expect(second).toEqual({
    to: 'wallet',
    total: '5.00',
    items: [{ lineId: 'Item_1', amount: '5.00', totalExcludingTax: '4.55', taxAmount: '0.45' }],
  });
  expect(creditLimit(discounted([first, second]))).toEqual({ total: '0.00', payment: '0.00' });
  expect(() => creditNote(discounted([first, second]), request('wallet', null))).toThrow(
    'items[0].amount: give an item that is not given back in full yet',
  );
});

test('after 50.00 to the wallet 49.00 are left, all of them for the payment method', () => {
  expect(creditLimit(discounted([creditNote(discounted(), request('wallet', '50'))]))).toEqual({ total: '49.00', payment: '49.00' });
});

test('what a provider has given back by itself cannot go to the payment method again, and still can to the wallet', () => {
  const taken = (notes: ComputedCreditNote[] = []): CreditableInvoice => ({ ...discounted(notes), takenBack: '5.55' });
  expect(creditLimit(taken())).toEqual({ total: '99.00', payment: '88.45' });
  expect(() => creditNote(taken(), request('payment', '88.46'))).toThrow('to: give at most 88.45');
  const first = creditNote(taken(), request('payment', '80'));
  expect(creditLimit(taken([first]))).toEqual({ total: '19.00', payment: '8.45' });
  expect(creditLimit({ ...taken(), takenBack: '94.00' })).toEqual({ total: '99.00', payment: '0.00' });
});

test('11.00 with 1.00 tax in notes of 3.67, 3.67 and 3.66: tax 0.33, 0.34, 0.33', () => {
  let invoice: CreditableInvoice = {
    currency: 'usd',
    total: '11.00',
    paidInMoney: '11.00',
    lines: [line('Item_1', '10.00', '1.00')],
    notes: [],
  };
  const taxes = ['3.67', '3.67', '3.66'].map((amount) => {
    const note = creditNote(invoice, request('wallet', amount));
    invoice = { ...invoice, notes: [...invoice.notes, note] };
    return note.items[0]?.taxAmount;
  });
  expect(taxes).toEqual(['0.33', '0.34', '0.33']);
});

test('one line twice in one note is one item of it: 60.00 and the rest are 99.00, with 9.00 of tax', () => {
  const note = creditNote(discounted(), request('wallet', '60', null));
  expect(note.total).toBe('99.00');
  expect(note.items).toEqual([{ lineId: 'Item_1', amount: '99.00', totalExcludingTax: '90.00', taxAmount: '9.00' }]);
});

test('all notes together are at most the total of the invoice: 150 charged, 50 credited on it, so 100.00', () => {
  const lines = [line('Item_1', '150.00', '0.00'), line('Item_2', '-50.00', '0.00', 'credit')];
  const invoice: CreditableInvoice = { currency: 'usd', total: '100.00', paidInMoney: '100.00', lines, notes: [] };
  expect(() => creditNote(invoice, request('wallet', null))).toThrow('items: give at most 100.00, which is left of the invoice');
  expect(creditNote(invoice, request('wallet', '100')).total).toBe('100.00');
});

test("what was given back of one line doesn't count for another: 60.00 of the first, still all 40.00 of the second", () => {
  const lines = [line('Item_1', '50.00', '10.00'), line('Item_2', '40.00', '0.00')];
  const invoice: CreditableInvoice = { currency: 'usd', total: '100.00', paidInMoney: '0.00', lines, notes: [] };
  const note = creditNote(invoice, { to: 'wallet', items: [{ lineId: 'Item_1' }, { lineId: 'Item_2' }] });
  expect(note.items.map(({ amount, taxAmount }) => [amount, taxAmount])).toEqual([
    ['60.00', '10.00'],
    ['40.00', '0.00'],
  ]);
  const first = creditNote(invoice, request('wallet', '60'));
  expect(creditNote({ ...invoice, notes: [first] }, { to: 'wallet', items: [{ lineId: 'Item_2', amount: '40' }] }).total).toBe('40.00');
});

test.each([
  ['no items', { to: 'wallet', items: [] }, 'items: give at least one invoice item'],
  ['an unknown item', { to: 'wallet', items: [{ lineId: 'Item_7' }] }, 'items[0].invoice_item_id: give an item of this invoice'],
  ['too much', request('wallet', '99.01'), 'items[0].amount: give at most 99.00, which is left of the item'],
  ['nothing', request('wallet', '0'), 'items[0].amount: give more than zero, or leave it out for all that is left'],
  ['a tenth of a cent', request('wallet', '0.001'), 'items[0].amount: give at most 2 digits after the decimal point'],
] as const)('%s is refused with what to give instead', (_, request, message) => {
  expect(() => creditNote(discounted(), { ...request, items: [...request.items] })).toThrow(message);
});

test.each([
  ['no items', { to: 'wallet', items: [] }, 'items', 'no_items'],
  ['an item of another invoice', { to: 'wallet', items: [{ lineId: 'Item_7' }] }, 'items[0].invoice_item_id', 'unknown_line'],
  ['more than the line', request('wallet', '99.01'), 'items[0].amount', 'exceeds_line'],
  ['more than the line in two items', request('wallet', '60', '60'), 'items[1].amount', 'exceeds_line'],
  ['zero', request('wallet', '0'), 'items[0].amount', 'not_positive'],
  ['less than zero', request('wallet', '-1'), 'items[0].amount', 'not_positive'],
  ['a tenth of a cent', request('wallet', '0.001'), 'items[0].amount', 'too_many_digits'],
  ['words', request('wallet', 'all'), 'items[0].amount', 'invalid_decimal'],
] as const)('%s is refused by field and code', (_, request, field, code) => {
  expect(problemOf(() => creditNote(discounted(), { ...request, items: [...request.items] }))).toMatchObject({ field, code });
});

test.each([
  ['a credit', line('Item_1', '-10.00', '0.00', 'credit')],
  ['the closing wallet line', line('Item_1', '10.00', '0.00', 'wallet')],
  ['a line of 0.00', line('Item_1', '0.00', '0.00')],
  ['a positive line of kind credit', line('Item_1', '10.00', '0.00', 'credit')],
])('%s cannot be given back', (_, one) => {
  const problem = problemOf(() => creditNote({ ...discounted(), lines: [one] }, request('wallet', null)));
  expect(problem).toEqual({
    field: 'items[0].invoice_item_id',
    code: 'line_not_creditable',
    message: 'give an item that charges something',
  });
});

test('the two caps have codes of their own, exceeds_invoice and exceeds_paid, and an emptied item not_positive', () => {
  expect(problemOf(() => creditNote({ ...discounted(), total: '50.00' }, request('wallet', '99')))).toMatchObject({
    field: 'items',
    code: 'exceeds_invoice',
  });
  expect(problemOf(() => creditNote(discounted(), request('payment', '99')))).toMatchObject({ field: 'to', code: 'exceeds_paid' });
  const all = creditNote(discounted(), request('wallet', null));
  expect(problemOf(() => creditNote(discounted([all]), request('wallet', null)))).toMatchObject({
    field: 'items[0].amount',
    code: 'not_positive',
  });
});

test('limits never fall below zero', () => {
  const notes: ComputedCreditNote[] = [{ to: 'payment', total: '120.00', items: [] }];
  expect(creditLimit(discounted(notes))).toEqual({ total: '0.00', payment: '0.00' });
});

function problemOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof Error && 'problems' in error && Array.isArray(error.problems) ? error.problems[0] : error;
  }
  return null;
}

test('any row of partial notes that empties a line adds up to it exactly: amounts, tax and net, none of them negative', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(
      cents,
      fc.constantFrom('0', '0.05', '0.07', '0.19', '0.0825', '2'),
      fc.array(cents, { maxLength: 8 }),
      (price, rate, requests) => {
        const taxed = applyTax(dec(price).div(100), rate, 'tax_excluded', 'usd');
        const whole = line('Item_1', moneyText(taxed.totalExcludingTax, 'usd'), moneyText(taxed.taxAmount, 'usd'));
        let invoice: CreditableInvoice = {
          currency: 'usd',
          total: whole.totalIncludingTax,
          paidInMoney: '0.00',
          lines: [whole],
          notes: [],
        };
        for (const share of [...requests, null]) {
          const left = dec(creditLimit(invoice).total);
          if (share !== null && left.lte(dec(share).div(100))) continue;
          const note = creditNote(invoice, request('wallet', share === null ? null : moneyText(dec(share).div(100), 'usd')));
          invoice = { ...invoice, notes: [...invoice.notes, note] };
        }
        const items = invoice.notes.flatMap((note) => note.items);
        const added = (field: 'amount' | 'taxAmount' | 'totalExcludingTax'): string =>
          moneyText(sum(items.map((item) => dec(item[field]))), 'usd');
        expect([added('totalExcludingTax'), added('taxAmount'), added('amount')]).toEqual([
          whole.totalExcludingTax,
          whole.taxAmount,
          whole.totalIncludingTax,
        ]);
        for (const item of items) {
          expect(dec(item.taxAmount).gte(0) && dec(item.totalExcludingTax).gte(0)).toBe(true);
          expect(moneyText(dec(item.totalExcludingTax).plus(item.taxAmount), 'usd')).toBe(item.amount);
        }
      },
    ),
    runs(),
  );
});
