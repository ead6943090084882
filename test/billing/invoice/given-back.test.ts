import fc from 'fast-check';
import { creditLine } from '../../../billing/invoice/credit.ts';
import { type ComputedCreditNote, type CreditableInvoice, creditNote } from '../../../billing/invoice/credit-note.ts';
import { type FamilyLine, givenBackIn } from '../../../billing/invoice/given-back.ts';
import { applyTax } from '../../../billing/invoice/tax.ts';
import type { ChargedLine, Line } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { BillingError } from '../../../billing/problem.ts';
import { runs } from '../../support/runs.ts';

const nothing = { amount: '0.00', taxAmount: '0.00' };

function member(id: string, totalIncludingTax: string, taxAmount = '0.00', noted = nothing): FamilyLine {
  return { id, totalIncludingTax, taxAmount, noted };
}

const given = (family: FamilyLine[]) => Object.fromEntries(givenBackIn(family, 'usd'));

test('a credit line gives back its amount and its tax, exactly', () => {
  expect(given([member('a', '119.00', '19.00'), member('b', '-39.67', '-6.33')])).toEqual({ a: { amount: '39.67', taxAmount: '6.33' } });
});

test('corrections give back of the latest charge first, each as far as its notes have left it', () => {
  const family = [member('a', '10.00'), member('b', '5.00', '0.00', { amount: '2.00', taxAmount: '0.00' }), member('c', '-6.00')];
  expect(given(family)).toEqual({ b: { amount: '3.00', taxAmount: '0.00' }, a: { amount: '3.00', taxAmount: '0.00' } });
});

test('tax of a correction that spans two charges is spread with it', () => {
  const family = [member('a', '11.90', '1.90'), member('b', '1.19', '0.19'), member('c', '-7.14', '-1.14')];
  expect(given(family)).toEqual({ b: { amount: '1.19', taxAmount: '0.19' }, a: { amount: '5.95', taxAmount: '0.95' } });
});

test('a whole line given back with a cent less of tax is given back with that tax', () => {
  expect(given([member('a', '119.00', '19.00'), member('b', '-119.00', '-18.99')])).toEqual({
    a: { amount: '119.00', taxAmount: '18.99' },
  });
});

test('of a line given back as a whole by more than itself all its tax goes, a cent of rounding stays out of the next', () => {
  const family = [member('a', '1.00', '0.16'), member('b', '100.00', '15.97'), member('c', '-100.50', '-15.96')];
  expect(given(family)).toEqual({ b: { amount: '100.00', taxAmount: '15.97' }, a: { amount: '0.50', taxAmount: '0.00' } });
});

test('a line whose notes took all has nothing left to be given back', () => {
  expect(given([member('a', '10.00', '0.00', { amount: '10.00', taxAmount: '0.00' }), member('b', '-1.00')])).toEqual({});
});

const charged = (price: number, rate: string, policy: 'tax_included' | 'tax_excluded', currency: Currency): ChargedLine => {
  const taxed = applyTax(dec(price).div(100), rate, policy, currency);
  const text = (field: keyof typeof taxed): string => moneyText(taxed[field], currency);
  return {
    id: 'Item_1',
    contractId: 'Cont_1',
    chargeKey: 'cycle:1:plan',
    kind: 'recurring',
    source: 'plan',
    name: 'Pro',
    description: null,
    currency,
    span: { start: 0, end: 1000 },
    dueDate: 0,
    schedulingPolicy: 'start_of_period',
    unitCount: '1',
    unitPrice: moneyText(dec(price).div(100), currency),
    subtotal: moneyText(dec(price).div(100), currency),
    discountAmount: '0.00',
    discountDescription: null,
    totalExcludingTax: text('totalExcludingTax'),
    taxAmount: text('taxAmount'),
    totalIncludingTax: text('totalIncludingTax'),
    taxCode: null,
    taxRate: rate,
    taxPolicy: policy,
    reverseCharge: false,
    creditOf: null,
    periodIdx: 1,
    derivation: {},
    invoiceId: 'Inv_1',
  };
};

/** What is given back of one line so far. */
interface Account {
  line: ChargedLine;
  notes: ComputedCreditNote[];
  credit: Line | null;
}

function noted({ line, notes, credit }: Account, cents: number | null): ComputedCreditNote | null {
  const items = notes.flatMap((note) => note.items);
  const amounts = { amount: total(items.map((i) => i.amount)), taxAmount: total(items.map((i) => i.taxAmount)) };
  const family: FamilyLine[] = [{ ...line, noted: amounts }, ...(credit === null ? [] : [{ ...credit, noted: nothing }])];
  const givenBack = givenBackIn(family, line.currency).get(line.id);
  const invoice: CreditableInvoice = {
    currency: line.currency,
    total: line.totalIncludingTax,
    paidInMoney: '0',
    lines: [givenBack === undefined ? line : { ...line, givenBack }],
    notes,
  };
  const amount = cents === null ? null : moneyText(dec(cents).div(100), line.currency);
  try {
    return creditNote(invoice, { to: 'wallet', items: [{ lineId: line.id, amount }] });
  } catch (error) {
    if (error instanceof BillingError) return null;
    throw error;
  }
}

const total = (amounts: string[]): string => moneyText(sum(amounts.map(dec)), 'usd');

function changed({ line, notes }: Account, part: number): Line | null {
  const items = notes.flatMap((note) => note.items);
  const left = { creditedExcludingTax: total(items.map((i) => i.totalExcludingTax)), creditedTax: total(items.map((i) => i.taxAmount)) };
  return creditLine({ ...line, ...left }, { part, whole: 1000 }, 1000 - part, { contractId: 'Cont_2', newId: () => 'Item_2', dueDate: 0 });
}

test('notes before and after a change give back a line once, to the cent: amount, tax and net, no part of them negative', () => {
  const cents = fc.integer({ min: 1, max: 30_000 });
  fc.assert(
    fc.property(
      cents,
      fc.constantFrom('0', '0.05', '0.07', '0.19', '0.0825', '2'),
      fc.constantFrom('tax_included', 'tax_excluded'),
      fc.array(cents, { maxLength: 4 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.array(cents, { maxLength: 4 }),
      (price, rate, policy, before, part, after) => {
        const account: Account = { line: charged(price, rate, policy, 'usd'), notes: [], credit: null };
        const note = (request: number | null): void => {
          const made = noted(account, request);
          if (made !== null) account.notes.push(made);
        };
        for (const request of before) note(request);
        account.credit = changed(account, part);
        for (const request of after) note(request);
        note(null);
        const { line, credit, notes } = account;
        const items = notes.flatMap(({ items }) => items);
        const back = (field: 'totalExcludingTax' | 'taxAmount'): string =>
          total([...items.map((item) => item[field]), ...(credit === null ? [] : [dec(credit[field]).neg().toFixed()])]);
        expect([back('totalExcludingTax'), back('taxAmount')]).toEqual([line.totalExcludingTax, line.taxAmount]);
        for (const item of items) expect(dec(item.taxAmount).gte(0) && dec(item.totalExcludingTax).gte(0)).toBe(true);
      },
    ),
    runs(),
  );
});
