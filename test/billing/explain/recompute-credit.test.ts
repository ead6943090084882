import { explainLine } from '../../../billing/explain/explain-line.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import { charge, charged, context, counting, discountOf, only, priceOf, taxAt } from '../invoice/build.ts';

type Policy = 'tax_included' | 'tax_excluded';

/** A line of 100.00 less a percentage, with 19 % tax. */
function lineOf(percent: string, policy: Policy): ChargedLine {
  const discount = discountOf('percentage', percent);
  return charged(
    only(chargeLines([charge(priceOf('100'), { span: { start: 0, end: 30 } })], context({ discount, tax: taxAt('0.19', policy) }))),
  );
}

test.each<[string, string, Policy, Partial<ChargedLine>, [number, number], string[]]>([
  ['a third of 5.00, tax included', '95', 'tax_included', {}, [10, 30], ['-33.33', '-31.66', '-1.40', '-0.27', '-1.67']],
  ['a third of 5.00, tax on top', '95', 'tax_excluded', {}, [10, 30], ['-33.33', '-31.66', '-1.67', '-0.32', '-1.99']],
  ['all of 90.00, tax included', '10', 'tax_included', {}, [30, 30], ['-100.00', '-10.00', '-75.63', '-14.37', '-90.00']],
  [
    'half of 90.00, of which a note left 30.00, tax included',
    '10',
    'tax_included',
    { creditedExcludingTax: '50.42', creditedTax: '9.58' },
    [15, 30],
    ['-33.33', '-3.33', '-25.21', '-4.79', '-30.00'],
  ],
  [
    'half of 90.00, of which a note left 30.00, tax on top',
    '10',
    'tax_excluded',
    { creditedExcludingTax: '60.00', creditedTax: '11.40' },
    [15, 30],
    ['-33.33', '-3.33', '-30.00', '-5.70', '-35.70'],
  ],
  [
    'half of 90.00 within the rest, its tax given back before',
    '10',
    'tax_excluded',
    { creditedExcludingTax: '10.00', creditedTax: '17.10' },
    [15, 30],
    ['-50.00', '-5.00', '-45.00', '0.00', '-45.00'],
  ],
])('%s: the same by decimals and by whole-number fractions', (_, percent, policy, before, [part, whole], expected) => {
  const credit = creditLine({ ...lineOf(percent, policy), ...before }, { part, whole }, 0, {
    contractId: 'Cont_1',
    newId: counting(),
    dueDate: 0,
  });
  if (credit === null) throw new Error('nothing given back');
  const { amounts, recomputed } = explainLine(credit);
  expect(Object.values(amounts)).toEqual(expected);
  expect(recomputed).toEqual(amounts);
});
