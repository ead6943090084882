import { at } from '../../../billing/calendar/instant.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { assembleInvoice } from '../../../billing/invoice/assemble.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { correctionLine } from '../../../billing/invoice/correction.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { StrategyDetails } from '../../../billing/pricing/price.ts';
import { charge, charged, context, counting, discountOf, noTax, only, perUnit, priceOf, taxAt, usage } from '../invoice/build.ts';

const june = { start: at('2025-06-01'), end: at('2025-07-01') };
const half = { part: 1_296_000_000, whole: 2_592_000_000 };

function said(...args: Parameters<typeof charge>): string[] {
  return explainLine(only(chargeLines([charge(args[0], { span: june, ...args[1] })], context()))).sentences;
}

test('the second half of June at 300 a month', () => {
  expect(said(priceOf('300'), { span: { start: at('2025-06-16'), end: at('2025-07-01') }, ratio: half })).toEqual([
    'For 2025-06-16T00:00:00.000Z to 2025-07-01T00:00:00.000Z.',
    'Price version Price_1.',
    'Flat amount: 300.',
    'Pro-rated: times 1296000000 / 2592000000 (0.5).',
    'Rounded once to 2 digits, half away from zero: 150 to 150.00.',
    'No tax rate applies.',
  ]);
});

test('usage in packs, with the number of events', () => {
  expect(said(priceOf('0.0295', usage({ batchSize: 100 })), { units: '350', events: 2 })).toEqual([
    'For 2025-06-01T00:00:00.000Z to 2025-07-01T00:00:00.000Z.',
    '2 usage events add up to 350 units.',
    'Price version Price_1.',
    'Units: 350.',
    'Rounded up to batches of 100: 400.',
    '400 units at 0.0295: 11.8.',
    'Rounded once to 2 digits, half away from zero: 11.8 to 11.80.',
    'No tax rate applies.',
  ]);
});

test('usage of half a month above its maximum, with minimum, over-usage price and fee', () => {
  const price = priceOf('1', usage({ minimumUnits: '10', maximumUnits: '20', overUsagePrice: '2', flatFee: '5' }));
  expect(said(price, { units: '25', events: 1, ratio: half, span: null })).toEqual([
    '1 usage event of 25 units.',
    'Price version Price_1.',
    'Units: 25.',
    'At least 10 × 1296000000 / 2592000000: 25.',
    'Split at the maximum of 20: 20 within, 5 above.',
    '20 units at 1: 20.',
    '5 units at 2 (over-usage): 10.',
    'Flat fee 5 × 1296000000 / 2592000000: 2.5.',
    'Rounded once to 2 digits, half away from zero: 32.5 to 32.50.',
    'No tax rate applies.',
  ]);
});

test('graduated tiers, 6 units of a contract without end', () => {
  const tiers: StrategyDetails = {
    ...perUnit({ unitCount: '6' }),
    kind: 'unit_tiered',
    tierMode: 'graduated',
    tiers: [
      { upTo: '5', unitPrice: '7', flatFee: null },
      { upTo: null, unitPrice: '6.5', flatFee: '1' },
    ],
  };
  expect(said(priceOf('0', tiers), { units: '6', span: { start: june.start, end: null } })).toEqual([
    'From 2025-06-01T00:00:00.000Z on.',
    'Price version Price_1.',
    'Units: 6.',
    '5 units at 7: 35.',
    '1 units at 6.5: 6.5.',
    'Flat fee 1: 1.',
    'Rounded once to 2 digits, half away from zero: 42.5 to 42.50.',
    'No tax rate applies.',
  ]);
});

test('a free cycle', () => {
  expect(said(priceOf('10'), { free: true, span: null })).toEqual([
    'Price version Price_1.',
    'Flat amount: 10.',
    'This cycle is free: the amount is zero.',
    'Rounded once to 2 digits, half away from zero: 0 to 0.00.',
    'No tax rate applies.',
  ]);
});

test('a flat discount of 10 and 10 % tax on top', () => {
  const line = only(
    chargeLines(
      [charge(priceOf('100'), { span: null })],
      context({ discount: discountOf('flat', '10'), tax: taxAt('0.10', 'tax_excluded') }),
    ),
  );
  expect(explainLine(line).sentences).toEqual([
    'Price version Price_1.',
    'Flat amount: 100.',
    'Discount "Spring", 10.00, of which 10.00 a full cycle fall on this line: 10.00 off.',
    'Rounded once to 2 digits, half away from zero: 100 to 100.00, after discount 90 to 90.00.',
    'Tax 10 % on top of 90.00: 9.00.',
  ]);
});

test('a percentage, and tax that is included', () => {
  const line = only(
    chargeLines(
      [charge(priceOf('119'), { span: null })],
      context({ discount: discountOf('percentage', '10'), tax: taxAt('0.19', 'tax_included') }),
    ),
  );
  expect(explainLine(line).sentences.slice(2)).toEqual([
    'Discount "Spring", 10 %: 11.90 off.',
    'Rounded once to 2 digits, half away from zero: 119 to 119.00, after discount 107.1 to 107.10.',
    'Tax 19 % is included: 17.10 of 107.10.',
  ]);
});

test('reverse charge', () => {
  const tax = { ...noTax, sellerCountry: 'DE', country: 'FR', vatId: 'FR40303265045' };
  const line = only(chargeLines([charge(priceOf('10'))], context({ tax })));
  expect(explainLine(line).sentences.at(-1)).toBe('Reverse charge: VAT is to be accounted for by the recipient.');
});

test('a credit, and a second one of the same line', () => {
  const line = charged(only(chargeLines([charge(priceOf('599.95'))], context())));
  const place = { contractId: 'Cont_2', newId: counting(), dueDate: 0 };
  const credit = creditLine(line, { part: 25, whole: 31 }, at('2012-05-07'), place);
  expect(credit && explainLine(credit).sentences).toEqual([
    'Gives back part of "Pro" (Item_1), which charged 599.95 after discount.',
    'From 2012-05-07T00:00:00.000Z on: times 25 / 31 (0.806451612903).',
    'Rounded once to 2 digits, half away from zero: -483.83064516129 to -483.83.',
    'No tax rate applies.',
  ]);
  const later = creditLine({ ...line, creditedExcludingTax: '483.83', creditedTax: '0' }, { part: 1, whole: 31 }, at('2012-05-31'), place);
  expect(later && explainLine(later).sentences[2]).toBe('Earlier credits gave back 483.83 of it; no more than the rest can follow.');
  const last = creditLine({ ...line, creditedExcludingTax: '590.00', creditedTax: '0' }, { part: 1, whole: 31 }, at('2012-05-31'), place);
  expect(last && explainLine(last).sentences[3]).toBe(
    'Rounded once to 2 digits, half away from zero: -19.353225806452 to -19.35, of which -9.95 was left.',
  );
});

test('a credit names what the tax policy counts from: 119.00 with the tax, 100.00 without', () => {
  const place = { contractId: 'Cont_2', newId: counting(), dueDate: 0 };
  const first = (policy: 'tax_included' | 'tax_excluded', price: string): string | undefined => {
    const line = only(chargeLines([charge(priceOf(price))], context({ tax: taxAt('0.19', policy) })));
    const credit = creditLine(charged(line), { part: 1, whole: 2 }, 0, place);
    return credit ? explainLine(credit).sentences[0] : undefined;
  };
  expect(first('tax_included', '119')).toBe('Gives back part of "Pro" (Item_1), which charged 119.00 after discount.');
  expect(first('tax_excluded', '100')).toBe('Gives back part of "Pro" (Item_1), which charged 100.00 after discount.');
});

test('a correction of 350 units to 199', () => {
  const line = correctionLine(
    { contractId: 'Cont_1', periodIdx: 3, slug: 'calls', units: '199', charged: '11.80', closed: null, occasion: 'Evt_1' },
    {
      lineId: 'Item_9',
      began: null,
      price: priceOf('0.0295', usage({ batchSize: 100 })),
      name: 'Calls',
      ratio: { part: 1, whole: 1 },
      span: june,
      free: false,
      currency: 'usd',
      tax: noTax,
      dueDate: 0,
      newId: counting(),
    },
  );
  expect(explainLine(line).sentences).toEqual([
    'Usage period 3 was corrected to 199 units.',
    'For 2025-06-01T00:00:00.000Z to 2025-07-01T00:00:00.000Z.',
    'Price version Price_1.',
    'Units: 199.',
    'Rounded up to batches of 100: 200.',
    '200 units at 0.0295: 5.9.',
    'Rounded once to 2 digits, half away from zero: 5.9 to 5.90.',
    'Less 11.80, which was charged for the period: -5.90.',
    'No tax rate applies.',
  ]);
});

test('a correction in a free period', () => {
  const line = correctionLine(
    { contractId: 'Cont_1', periodIdx: 1, slug: 'calls', units: '2', charged: '0.00', closed: null, occasion: 'Evt_1' },
    {
      lineId: 'Item_9',
      began: null,
      price: priceOf('5', usage()),
      name: 'Calls',
      ratio: { part: 1, whole: 1 },
      span: june,
      free: true,
      currency: 'usd',
      tax: noTax,
      dueDate: 0,
      newId: counting(),
    },
  );
  expect(explainLine(line).sentences.slice(4, 7)).toEqual([
    '2 units at 5: 10.',
    'This period is free: the amount is zero.',
    'Rounded once to 2 digits, half away from zero: 0 to 0.00.',
  ]);
});

test('a closing line', () => {
  const line = charged(only(chargeLines([charge(priceOf('10'))], context())));
  const credit = creditLine(line, { part: 1, whole: 1 }, 0, { contractId: 'Cont_1', newId: counting(), dueDate: 0 });
  const made = assembleInvoice(credit ? [credit] : [], {
    contract: { id: 'Cont_1', customerId: 'Cust_1' },
    date: 0,
    status: 'ready_for_payment',
    automatic: true,
    newId: counting(),
  });
  expect(made?.closing && explainLine(made.closing).sentences).toEqual([
    'The other lines come to -10.00.',
    '10.00 goes to the wallet, so that the invoice comes to zero. No tax.',
  ]);
});

test('usage after a change: the count goes on from 900, a fee of a volume tier is owed beyond what was charged before', () => {
  const price = priceOf('0', {
    ...usage(),
    kind: 'usage_tiered',
    tierMode: 'volume',
    tiers: [
      { upTo: '1000', unitPrice: '0.02', flatFee: '3' },
      { upTo: null, unitPrice: '0.01', flatFee: '5' },
    ],
  });
  const began = { units: '900', tierFees: '3' };
  expect(said(price, { units: '200', events: 2, began, ratio: half, span: null })).toEqual([
    '2 usage events add up to 200 units.',
    'Price version Price_1.',
    'Units: 200.',
    '900 were counted in the billing period before: 1100 in all.',
    '200 units at 0.01: 2.',
    'Flat fee 5, less 3 charged in the billing period before: 2.',
    'Rounded once to 2 digits, half away from zero: 4 to 4.00.',
    'No tax rate applies.',
  ]);
});

test('usage after a change of half a month: the part costs at least its share of the minimum', () => {
  const price = priceOf('1', usage({ minimumUnits: '100' }));
  expect(said(price, { units: '10', events: 1, began: { units: '20', tierFees: null }, ratio: half, span: null })).toEqual([
    '1 usage event of 10 units.',
    'Price version Price_1.',
    'Units: 10.',
    '20 were counted in the billing period before: 30 in all.',
    'The part costs at least its share of 100 × 1296000000 / 2592000000: 50.',
    '50 units at 1: 50.',
    'Rounded once to 2 digits, half away from zero: 50 to 50.00.',
    'No tax rate applies.',
  ]);
});
