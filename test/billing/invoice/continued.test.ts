import type { DiscountStep } from '../../../billing/explain/derivation.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { lineGivenBack, sameDiscount } from '../../../billing/invoice/continued.ts';
import { creditLine, creditOf } from '../../../billing/invoice/credit.ts';
import { charge, charged, context, counting, only, priceOf } from './build.ts';

const flat: DiscountStep = {
  id: 'Disc_1',
  slug: 'five',
  name: 'Five',
  type: 'flat',
  amount: '5',
  share: '2',
  part: { num: '1', den: '3' },
};

const { part: _part, ...whole } = flat;

test.each<[string, DiscountStep | null, DiscountStep | null, boolean]>([
  ['none and none', null, null, true],
  ['one and none', flat, null, false],
  ['none and one', null, flat, false],
  ['itself', flat, { ...flat }, true],
  ['one of another name', flat, { ...flat, name: 'High five' }, true],
  ['another discount', flat, { ...flat, id: 'Disc_2' }, false],
  ['another type', flat, { ...flat, type: 'percentage' }, false],
  ['another amount', flat, { ...flat, amount: '6' }, false],
  ['another share of the amount', flat, { ...flat, share: '3' }, false],
  ['another part of the cycle', flat, { ...flat, part: { num: '2', den: '3' } }, false],
  ['the same part of a longer cycle', flat, { ...flat, part: { num: '1', den: '4' } }, false],
  ['the whole cycle', flat, whole, false],
])('a discount and %s take the same off a line: %#', (_, one, other, isSame) => {
  expect(sameDiscount(one, other)).toBe(isSame);
});

const june = { start: 0, end: 30 };
const half = { part: 15, whole: 30 };

test('of a charge of 100.00, 50.00 is given back for half of June, of a credit nothing is', () => {
  const line = charged(only(chargeLines([charge(priceOf('100'), { span: june })], context())));
  expect(lineGivenBack(line, creditOf(line, half, 15), 30)).toMatchObject({ units: '1', until: 30, amounts: { subtotal: '50.00' } });
  const credit = creditLine(line, half, 15, { contractId: 'Cont_1', newId: counting(), dueDate: 0 });
  if (credit === null) throw new Error('nothing given back');
  expect(lineGivenBack(charged(credit), creditOf(line, half, 15), 30)).toBeNull();
});

test('of a monthly charge a month’s price is given back; of one that says no cycle, none', () => {
  const backOf = (more: Parameters<typeof charge>[1]) => {
    const line = charged(only(chargeLines([charge(priceOf('100'), { span: june, ...more })], context())));
    return lineGivenBack(line, creditOf(line, half, 15), 30)?.cycle;
  };
  expect([backOf({ cycle: 'month' }), backOf({})]).toEqual(['month', undefined]);
});
