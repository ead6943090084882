import { type Charge, chargeLines } from '../../../billing/invoice/charge.ts';
import { correctionLine } from '../../../billing/invoice/correction.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Price, StrategyDetails, Tier } from '../../../billing/pricing/strategy.ts';
import { type Makeup, makeupOf } from '../../../pdf/parts.ts';
import { AT, contractLine } from './documents.ts';

const DAY = 86_400_000;
const tax = { policy: 'tax_included' as const, rates: [], sellerCountry: null, country: null, state: null, vatId: null };
const spring = {
  ...{ id: 'Disc_1', originalDiscountId: null, slug: 'spring', name: 'Spring', type: 'percentage' as const },
  ...{ amount: '10', currency: null, duration: 3, cyclesBefore: 0 },
};
const FULL = { part: 30 * DAY, whole: 30 * DAY };
const HALF = { part: 15 * DAY, whole: 30 * DAY };
const bought = { unitName: 'seat', unitCount: '3', minimumUnits: '0', maximumUnits: null, batchSize: null, flatFee: null };
const used = { unitName: 'call', minimumUnits: null, maximumUnits: null, batchSize: null, flatFee: null };
const metered = { ...used, kind: 'usage' as const, overUsageChargeStrategy: 'extra_usage_overcharge' as const, overUsagePrice: null };
const tiers: Tier[] = [
  { upTo: '5', unitPrice: '7', flatFee: null },
  { upTo: '10', unitPrice: '6.5', flatFee: null },
  { upTo: null, unitPrice: '6', flatFee: null },
];

const price = (amount: string, strategy: StrategyDetails): Price => ({ id: 'Price_1', amount, strategy, freeCycles: 0, taxCode: null });

function lineOf(of: Price, units: string, given: Partial<Charge> = {}, discount: typeof spring | null = null): ChargedLine {
  const charge: Charge = {
    ...{ contractId: 'Cont_1', chargeKey: 'k', kind: 'recurring' as const, source: 'plan', name: 'Line', price: of, units, ratio: FULL },
    ...{ span: null, dueDate: AT, schedulingPolicy: 'immediate' as const, periodIdx: 1, discountable: discount !== null, free: false },
    ...given,
  };
  const [line] = chargeLines([charge], { currency: 'usd', tax, discount, newId: (prefix) => `${prefix}_1` });
  if (line === undefined) throw new Error('no line was made');
  return { ...line, invoiceId: null };
}

/** Each part as text: "Up to 5: 5 × 7.00 = 35.00". */
const read = ({ quantity, unitPrice, notes, parts }: Makeup): string[] => [
  `${quantity} × ${unitPrice}`,
  ...notes,
  ...parts.map((part) => `${part.label}: ${part.quantity} × ${part.unitPrice} = ${part.amount}`),
];
const made = (...of: Parameters<typeof lineOf>): string[] => read(makeupOf(lineOf(...of)));

describe('the printed parts of a line', () => {
  it('a flat price, units and usage at one price are printed beside the name', () => {
    expect(made(price('29', { kind: 'flat' }), '1')).toEqual(['1 × 29.00']);
    expect(made(price('5', { ...bought, kind: 'per_unit' }), '3')).toEqual(['3 × 5.00']);
    expect(made(price('0.0006', metered), '12000', { events: 4 })).toEqual(['12,000 × 0.0006']);
  });

  it('20 graduated units are 5 at 7.00, 5 at 6.50 and 10 at 6.00, not 6.375 on average', () => {
    const graduated = price('0', { ...bought, kind: 'unit_tiered', tierMode: 'graduated', tiers });
    expect(made(graduated, '20')).toEqual([
      '20 × ',
      'Up to 5: 5 × 7.00 = 35.00',
      'Up to 10: 5 × 6.50 = 32.50',
      'Above 10: 10 × 6.00 = 60.00',
    ]);
  });

  it('units of one tier are printed beside the name; with a fee both are parts', () => {
    const volume = price('0', { ...used, kind: 'usage_tiered', tierMode: 'volume', tiers });
    expect(made(volume, '20', { events: 2 })).toEqual(['20 × 6.00']);
    const withFees = price('0', {
      ...used,
      kind: 'usage_tiered',
      tierMode: 'volume',
      tiers: tiers.map((tier) => ({ ...tier, flatFee: '2.5' })),
    });
    expect(made(withFees, '20', { events: 2 })).toEqual(['20 × ', 'All units: 20 × 6.00 = 120.00', 'Flat fee:  ×  = 2.50']);
  });

  it('a fee of zero is left out', () => {
    const free = price('0', { ...used, kind: 'usage_tiered', tierMode: 'volume', tiers: tiers.map((tier) => ({ ...tier, flatFee: '0' })) });
    expect(made(free, '20', { events: 2 })).toEqual(['20 × 6.00']);
  });

  it('350 used in packs of 100 at 0.0295 are 400 × 0.0295', () => {
    expect(made(price('0.0295', { ...metered, batchSize: 100 }), '350', { events: 3 })).toEqual([
      '400 × 0.0295',
      '350 used, rounded up to packs of 100',
    ]);
    expect(made(price('0.0295', { ...metered, batchSize: 100 }), '400', { events: 3 })).toEqual(['400 × 0.0295']);
    expect(made(price('5', { ...bought, kind: 'per_unit', batchSize: 5 }), '12')).toEqual([
      '15 × 5.00',
      '12 ordered, rounded up to packs of 5',
    ]);
  });

  it('units above the maximum have their own price, and an amount with all its digits', () => {
    const limited = price('0.10', { ...metered, maximumUnits: '1000', overUsagePrice: '0.15', flatFee: '10' });
    expect(made(limited, '1234.567', { events: 3 })).toEqual([
      '1,234.567 × ',
      'Up to 1,000: 1,000 × 0.10 = 100.00',
      'Above 1,000: 234.567 × 0.15 = 35.18505',
      'Flat fee:  ×  = 10.00',
    ]);
  });

  it('a minimum and a fee of 10 of 31 days are shown to six places', () => {
    const least = price('0.10', { ...metered, minimumUnits: '100', flatFee: '10' });
    expect(made(least, '5', { events: 1, ratio: { part: 10 * DAY, whole: 31 * DAY } })).toEqual([
      '32.258065 × ',
      '5 used, at least 32.258065 are charged',
      'All units: 32.258065 × 0.10 = 3.225806',
      'Flat fee, 10 of 31 days of 10.00:  ×  = 3.225806',
    ]);
    expect(made(price('1', metered), '0.0000001', { events: 1 })).toEqual(['0.0000001 × 1.00']);
  });

  it('after a change in the billing period the count goes on: the units counted before are printed', () => {
    const allowance = price('0', { ...metered, maximumUnits: '1000', overUsagePrice: '0.02' });
    const later = (units: string, tierFees: string | null = null) => ({ events: 2, ratio: HALF, began: { units, tierFees } });
    expect(made(allowance, '500', later('1000'))).toEqual(['500 × 0.02', '500 used, 1,000 counted before']);
    const graduated = price('0', { ...used, kind: 'usage_tiered', tierMode: 'graduated', tiers });
    expect(made(graduated, '8', later('4'))).toEqual([
      '8 × ',
      '8 used, 4 counted before',
      'Up to 5: 1 × 7.00 = 7.00',
      'Up to 10: 5 × 6.50 = 32.50',
      'Above 10: 2 × 6.00 = 12.00',
    ]);
    expect(made(price('0.0295', { ...metered, batchSize: 100 }), '100', later('150'))).toEqual([
      '100 × 0.0295',
      '100 used, 150 counted before, rounded up to packs of 100',
    ]);
    expect(made(price('0.10', { ...metered, minimumUnits: '100' }), '5', later('10'))).toEqual([
      '50 × 0.10',
      '5 used, 10 counted before, at least 50 are charged',
    ]);
    const fees = tiers.map((tier) => ({ ...tier, flatFee: '50' }));
    expect(made(price('0', { ...used, kind: 'usage_tiered', tierMode: 'volume', tiers: fees }), '20', later('4', '10'))).toEqual([
      '20 × ',
      '20 used, 4 counted before',
      'Above 4: 20 × 6.00 = 120.00',
      'Flat fee of 50.00, less 10.00 charged before:  ×  = 40.00',
    ]);
  });

  it('half a period is printed as a share of the whole', () => {
    expect(made(price('5', { ...bought, kind: 'per_unit' }), '3', { ratio: HALF })).toEqual(['3 × 5.00', '15 of 30 days of 15.00']);
    const graduated = price('0', { ...bought, kind: 'unit_tiered', tierMode: 'graduated', tiers });
    expect(made(graduated, '7', { ratio: HALF }).slice(-2)).toEqual(['Up to 10: 2 × 6.50 = 13.00', '15 of 30 days of 48.00:  ×  = 24.00']);
  });

  it('a discount is a separate part', () => {
    expect(made(price('30', { kind: 'flat' }), '1', { ratio: HALF }, spring)).toEqual([
      '1 × 30.00',
      '15 of 30 days of 30.00',
      'Discount Spring: 10 %:  ×  = −1.50',
    ]);
  });

  it('a free cycle says so', () => {
    expect(made(price('5', { ...bought, kind: 'per_unit' }), '3', { free: true })).toEqual(['3 × ', 'Free of charge']);
  });

  it('the free part of a cycle is a separate part, so that the parts add up to the amount', () => {
    const sixth = { freePart: { num: '1', den: '6' } };
    const yearly = lineOf(price('1200', { kind: 'flat' }), '1', sixth);
    expect(yearly.subtotal).toBe('1000.00');
    expect(read(makeupOf(yearly))).toEqual(['1 × 1,200.00', '1/6 of the cycle free of charge:  ×  = −200.00']);
    expect(made(price('5', { ...bought, kind: 'per_unit' }), '3', { ...sixth, ratio: HALF }, spring)).toEqual([
      '3 × 5.00',
      '15 of 30 days of 15.00',
      '1/6 of the cycle free of charge:  ×  = −1.25',
      'Discount Spring: 10 %:  ×  = −0.62',
    ]);
    const graduated = price('0', { ...bought, kind: 'unit_tiered', tierMode: 'graduated', tiers });
    expect(made(graduated, '7', { freePart: { num: '1000', den: '4001' } })).toEqual([
      '7 × ',
      'Up to 5: 5 × 7.00 = 35.00',
      'Up to 10: 2 × 6.50 = 13.00',
      '24.99 % of the cycle free of charge:  ×  = −11.997001',
    ]);
  });

  it('a correction in a partly free cycle prints the free part', () => {
    const correction = { contractId: 'Cont_1', periodIdx: 1, slug: 'x', units: '120', charged: '0.00', closed: null, occasion: 'o' };
    const closed = { lineId: 'Item_1', name: 'Exports', ratio: FULL, span: { start: AT, end: AT + DAY }, free: false, began: null };
    const place = { currency: 'usd' as const, tax, dueDate: AT, newId: (prefix: string) => `${prefix}_3` };
    const line = correctionLine(correction, { ...closed, ...place, freePart: { num: '1', den: '6' }, price: price('0.10', metered) });
    expect(line.totalIncludingTax).toBe('10.00');
    expect(read(makeupOf({ ...line, invoiceId: null }))).toEqual([
      ' × ',
      'Usage corrected to 120',
      'All units: 120 × 0.10 = 12.00',
      '1/6 of the cycle free of charge:  ×  = −2.00',
      'Charged before:  ×  = 0.00',
    ]);
  });

  it('a credit is printed as a share of the charge, without units and a negative price', () => {
    const charged = lineOf(price('5', { ...bought, kind: 'per_unit' }), '3', { span: { start: AT, end: AT + 30 * DAY } }, spring);
    const place = { contractId: 'Cont_1', newId: (prefix: string) => `${prefix}_2`, dueDate: AT };
    const credit = creditLine(charged, HALF, AT + 15 * DAY, place);
    expect(credit?.totalIncludingTax).toBe('-6.75');
    expect(read(makeupOf({ ...contractLine(), ...credit }))).toEqual([' × ', '15 of 30 days of 13.50']);
    const whole = creditLine(charged, FULL, AT, place);
    expect(read(makeupOf({ ...contractLine(), ...whole }))).toEqual([' × ', 'All of 13.50']);
  });

  it('a correction is the corrected price less what was charged', () => {
    const correction = { contractId: 'Cont_1', periodIdx: 1, slug: 'x', units: '199', charged: '11.80', closed: null, occasion: 'o' };
    const closed = { lineId: 'Item_1', name: 'Exports', ratio: FULL, span: { start: AT, end: AT + DAY }, free: false, began: null };
    const place = { currency: 'usd' as const, tax, dueDate: AT, newId: (prefix: string) => `${prefix}_3` };
    const line = correctionLine(correction, { ...closed, ...place, price: price('0.0295', { ...metered, batchSize: 100 }) });
    expect(line.totalIncludingTax).toBe('-5.90');
    expect(read(makeupOf({ ...line, invoiceId: null }))).toEqual([
      ' × ',
      'Usage corrected to 199',
      'All units: 200 × 0.0295 = 5.90',
      'Charged before:  ×  = −11.80',
    ]);
  });

  it('steps that do not add up to the line are left out; a line without steps prints its price', () => {
    const line = lineOf(price('0', { ...bought, kind: 'unit_tiered', tierMode: 'graduated', tiers }), '20');
    const other = { ...line, subtotal: '120.00', description: 'as agreed' };
    expect(read(makeupOf(other))).toEqual(['20 × ', 'as agreed']);
    expect(read(makeupOf(contractLine({ unitCount: '2', unitPrice: '3.5' })))).toEqual(['2 × 3.50']);
  });
});
