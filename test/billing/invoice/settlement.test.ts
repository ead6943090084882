import fc from 'fast-check';
import { settle } from '../../../billing/invoice/settlement.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { runs } from '../../support/runs.ts';

test('475.81 pay 15.49 on 8 May and 29.95 in June, 430.37 stay', () => {
  expect(
    settle(
      '475.81',
      [
        { id: 'Inv_2', date: 30, dueDate: 30, remaining: '29.95' },
        { id: 'Inv_1', date: 8, dueDate: 8, remaining: '15.49' },
      ],
      'usd',
    ),
  ).toEqual({
    payments: [
      { invoiceId: 'Inv_1', amount: '15.49', remaining: '0.00' },
      { invoiceId: 'Inv_2', amount: '29.95', remaining: '0.00' },
    ],
    balance: '430.37',
  });
});

test('5.00 pay a part of 99.00, 94.00 remain', () => {
  expect(settle('5', [{ id: 'Inv_1', date: 0, dueDate: 0, remaining: '99.00' }], 'usd')).toEqual({
    payments: [{ invoiceId: 'Inv_1', amount: '5.00', remaining: '94.00' }],
    balance: '0.00',
  });
});

test('of invoices due at one instant the one made first is paid first, whatever their ids', () => {
  const open = [
    { id: 'Inv_1', date: 4, dueDate: 5, remaining: '10.00' },
    { id: 'Inv_2', date: 3, dueDate: 5, remaining: '10.00' },
  ];
  expect(settle('15.00', open, 'usd').payments).toEqual([
    { invoiceId: 'Inv_2', amount: '10.00', remaining: '0.00' },
    { invoiceId: 'Inv_1', amount: '5.00', remaining: '5.00' },
  ]);
});

test('of invoices made and due at one instant the one with the lower id is paid first, and the money runs out on the next', () => {
  const open = ['Inv_3', 'Inv_1', 'Inv_2'].map((id) => ({ id, date: 0, dueDate: 5, remaining: '10.00' }));
  expect(settle('15.00', open, 'usd').payments).toEqual([
    { invoiceId: 'Inv_1', amount: '10.00', remaining: '0.00' },
    { invoiceId: 'Inv_2', amount: '5.00', remaining: '5.00' },
  ]);
});

test('an empty wallet, or an invoice with nothing left, makes no payment', () => {
  expect(settle('0.00', [{ id: 'Inv_1', date: 0, dueDate: 0, remaining: '1.00' }], 'usd')).toEqual({ payments: [], balance: '0.00' });
  expect(settle('1.00', [{ id: 'Inv_1', date: 0, dueDate: 0, remaining: '0.00' }], 'usd')).toEqual({ payments: [], balance: '1.00' });
  expect(settle('1.00', [], 'usd')).toEqual({ payments: [], balance: '1.00' });
});

test('the given list is left as it was', () => {
  const open = [
    { id: 'Inv_2', date: 8, dueDate: 9, remaining: '1.00' },
    { id: 'Inv_1', date: 8, dueDate: 8, remaining: '1.00' },
  ];
  settle('2.00', open, 'usd');
  expect(open.map(({ id }) => id)).toEqual(['Inv_2', 'Inv_1']);
});

test('no cent is made or lost, older invoices are paid in full before younger ones, and order of input does not matter', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  const invoices = fc
    .array(fc.record({ dueDate: fc.integer({ min: 0, max: 5 }), left: cents }), { maxLength: 8 })
    .map((list) =>
      list.map(({ dueDate, left }, index) => ({ id: `Inv_${index}`, date: 0, dueDate, remaining: moneyText(dec(left).div(100), 'usd') })),
    );
  fc.assert(
    fc.property(cents, invoices, (wallet, open) => {
      const balance = moneyText(dec(wallet).div(100), 'usd');
      const settled = settle(balance, open, 'usd');
      const paid = sum(settled.payments.map((payment) => dec(payment.amount)));
      expect(moneyText(paid.plus(settled.balance), 'usd')).toBe(balance);
      expect(dec(settled.balance).gte(0)).toBe(true);
      expect(settled.payments.slice(0, -1).every((payment) => payment.remaining === '0.00')).toBe(true);
      if (dec(settled.balance).gt(0)) expect(settled.payments.every((payment) => payment.remaining === '0.00')).toBe(true);
      expect(settle(balance, [...open].reverse(), 'usd')).toEqual(settled);
    }),
    runs(),
  );
});
