import { assembleInvoice, type InvoiceContext } from '../../../billing/invoice/assemble.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { charge, charged, context, counting, only, priceOf, taxAt } from './build.ts';

function chargeOf(amount: string, dueDate = 0): Line {
  return only(chargeLines([charge(priceOf(amount), { dueDate })], context()));
}

function creditOf(amount: string): Line {
  const credit = creditLine(charged(chargeOf(amount)), { part: 1, whole: 1 }, 15, { contractId: 'Cont_1', newId: counting(), dueDate: 7 });
  if (credit === null) throw new Error('nothing to credit');
  return credit;
}

function invoiceContext(more: Partial<InvoiceContext> = {}): InvoiceContext {
  return {
    contract: { id: 'Cont_1', customerId: 'Cust_1' },
    date: 7,
    status: 'ready_for_payment',
    automatic: true,
    newId: counting(),
    ...more,
  };
}

test('without lines no invoice is made', () => {
  expect(assembleInvoice([], invoiceContext())).toBeNull();
});

test.each([
  ['-5.00 and +10.00 are 5.00', '5', '10', '5.00'],
  ['-33.33 and +66.67 are 33.34, the sum of the rounded lines', '33.33', '66.67', '33.34'],
  ['on 8 May: -7.70 and +23.19 are 15.49', '7.70', '23.19', '15.49'],
  ['-25.29 and +51.10 are 25.81', '25.29', '51.10', '25.81'],
  ['-10.00 and +10.00 are 0.00, without a closing line', '10', '10', '0.00'],
])('%s', (_, back, due, total) => {
  const made = assembleInvoice([creditOf(back), chargeOf(due)], invoiceContext());
  expect(made?.invoice.total).toBe(total);
  expect(made?.closing).toBeNull();
  expect(made?.wallet).toBeNull();
});

test('-14.97, -5.16, +51.10 and +12.90 are 43.87', () => {
  const made = assembleInvoice([creditOf('14.97'), creditOf('5.16'), chargeOf('51.10'), chargeOf('12.90')], invoiceContext());
  expect(made?.invoice.total).toBe('43.87');
});

test('the invoice says whose it is, when, which lines it holds, and is due when the earliest line is', () => {
  const lines = [chargeOf('10', 30), { ...chargeOf('20', 12), id: 'Item_9' }];
  expect(assembleInvoice(lines, invoiceContext({ status: 'pending_validation', automatic: false }))?.invoice).toEqual({
    id: 'Inv_1',
    contractId: 'Cont_1',
    customerId: 'Cust_1',
    currency: 'usd',
    date: 7,
    dueDate: 12,
    lineIds: ['Item_1', 'Item_9'],
    total: '30.00',
    status: 'pending_validation',
    automatic: false,
  });
});

test('on 7 May: -483.83 and +8.02 close with 475.81 to the wallet, total 0.00', () => {
  const lines = [creditOf('483.83'), chargeOf('8.02')];
  const made = assembleInvoice(lines, invoiceContext());
  expect(made?.invoice).toMatchObject({ id: 'Inv_1', total: '0.00', dueDate: 0, lineIds: ['Item_1', 'Item_1', 'Item_2'] });
  expect(made?.closing).toEqual({
    id: 'Item_2',
    contractId: 'Cont_1',
    chargeKey: 'wallet:Inv_1',
    kind: 'wallet',
    source: 'wallet',
    name: 'Moved to your wallet',
    description: null,
    currency: 'usd',
    span: null,
    dueDate: 7,
    schedulingPolicy: 'immediate',
    unitCount: '1',
    unitPrice: '475.81',
    subtotal: '475.81',
    discountAmount: '0.00',
    discountDescription: null,
    totalExcludingTax: '475.81',
    taxAmount: '0.00',
    totalIncludingTax: '475.81',
    taxCode: null,
    taxRate: null,
    taxPolicy: 'tax_excluded',
    reverseCharge: false,
    creditOf: null,
    periodIdx: null,
    derivation: {
      type: 'wallet',
      currency: 'usd',
      lines: [
        { id: 'Item_1', totalIncludingTax: '-483.83' },
        { id: 'Item_1', totalIncludingTax: '8.02' },
      ],
      tax: { policy: 'tax_excluded', taxCode: null, rate: null, reverseCharge: false, note: null },
    },
  });
  expect(made?.wallet).toEqual({
    customerId: 'Cust_1',
    currency: 'usd',
    amount: '475.81',
    invoiceId: 'Inv_1',
    at: 7,
    description: 'Surplus of an invoice',
  });
});

test('the surplus counts tax: -119.00 gross moves 119.00', () => {
  const taxed = only(chargeLines([charge(priceOf('100'))], context({ tax: taxAt('0.19', 'tax_excluded') })));
  const credit = creditLine(charged(taxed), { part: 1, whole: 1 }, 0, { contractId: 'Cont_1', newId: counting(), dueDate: 0 });
  expect(assembleInvoice(credit ? [credit] : [], invoiceContext())?.wallet?.amount).toBe('119.00');
});

test('lines of two currencies are refused', () => {
  expect(() => assembleInvoice([chargeOf('1'), { ...chargeOf('1'), currency: 'eur' }], invoiceContext())).toThrow(
    expect.objectContaining({ problems: [{ field: 'currency', code: 'mixed_currencies', message: 'give lines of one currency' }] }),
  );
});
