import { type AssembledInvoice, assembleInvoice } from '../../../billing/invoice/assemble.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import { settle } from '../../../billing/invoice/settlement.ts';
import type { ChargedLine, Line } from '../../../billing/invoice/types.ts';
import { amountsOf, charge, charged, context, counting, only, priceOf } from './build.ts';

const newId = counting();

function charging(amount: string, part: number, whole: number): Line {
  return only(chargeLines([charge(priceOf(amount), { ratio: { part, whole } })], context({ newId })));
}

function givingBack(line: ChargedLine, part: number, whole: number): Line {
  const credit = creditLine(line, { part, whole }, 0, { contractId: 'Cont_1', newId, dueDate: 0 });
  if (credit === null) throw new Error('nothing to give back');
  return credit;
}

function invoice(...lines: Line[]): AssembledInvoice {
  const made = assembleInvoice(lines, {
    contract: { id: 'Cont_1', customerId: 'Cust_1' },
    date: 0,
    status: 'ready_for_payment',
    automatic: true,
    newId,
  });
  if (made === null) throw new Error('no invoice');
  return made;
}

test('599.95 for May; 9.95 on 7 May; 29.95 on 8 May: wallet 475.81, 15.49 drawn, 29.95 drawn in June', () => {
  const may = charging('599.95', 31, 31);
  const cheap = charging('9.95', 25, 31);
  const seventh = invoice(givingBack(charged(may), 25, 31), cheap);
  expect([seventh.invoice.total, seventh.wallet?.amount]).toEqual(['0.00', '475.81']);

  const dearer = charging('29.95', 24, 31);
  const eighth = invoice(givingBack(charged(cheap), 24, 25), dearer);
  expect([eighth.invoice.total, eighth.wallet]).toEqual(['15.49', null]);

  const june = invoice(charging('29.95', 30, 30));
  const open = [eighth, june].map(({ invoice: { id, total } }, dueDate) => ({ id, date: 0, dueDate, remaining: total }));
  expect(settle('475.81', open, 'usd')).toMatchObject({ payments: [{ amount: '15.49' }, { amount: '29.95' }], balance: '430.37' });
});

test('half of 100 a month back, 1000 a year due: 950.00', () => {
  expect(invoice(givingBack(charged(charging('100', 30, 30)), 15, 30), charging('1000', 365, 365)).invoice.total).toBe('950.00');
});

test('A → B → A within one instant nets to zero: 100 → 300 → 100 with 20 of 30 days left', () => {
  const first = charging('100', 30, 30);
  const second = charging('300', 20, 30);
  const third = charging('100', 20, 30);
  const lines = [givingBack(charged(first), 20, 30), second, givingBack(charged(second), 20, 20), third];
  expect(lines.map((line) => line.totalIncludingTax)).toEqual(['-66.67', '200.00', '-200.00', '66.67']);
  expect(invoice(...lines).invoice.total).toBe('0.00');
});

test('a change of a change gives back what the first change charged: 66.67 for 20 days, 10 of them left, is -33.34 (33.335 up)', () => {
  const second = charging('100', 20, 30);
  expect(amountsOf(givingBack(charged(second), 10, 20)).totalIncludingTax).toBe('-33.34');
});
