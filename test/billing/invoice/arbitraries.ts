import fc from 'fast-check';
import type { Ratio } from '../../../billing/calendar/ratio.ts';
import type { ContractDiscount } from '../../../billing/contract/types.ts';
import type { Charge } from '../../../billing/invoice/charge.ts';
import type { TaxContext } from '../../../billing/invoice/types.ts';
import { CURRENCIES, type Currency } from '../../../billing/money/currency.ts';
import type { StrategyDetails, Tier, TierMode } from '../../../billing/pricing/price.ts';
import { charge, discountOf, perUnit, priceOf, taxAt, usage } from './build.ts';

/** Decimal text with up to `digits` places. */
export function aDecimal(max: number, digits: number): fc.Arbitrary<string> {
  return fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 10 ** digits - 1 })).map(([integer, rest]) => {
    const decimals = rest === 0 ? '' : `.${rest.toString().padStart(digits, '0')}`;
    return `${integer}${decimals}`;
  });
}

const anAmount = fc.oneof(aDecimal(1000, 2), aDecimal(3, 6), fc.constant('0.005'), fc.constant('0'));
const aFee = fc.option(aDecimal(50, 2));
const aBatch = fc.option(fc.integer({ min: 1, max: 100 }));
const aMode = fc.constantFrom<TierMode>('graduated', 'volume');

const someTiers: fc.Arbitrary<Tier[]> = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
    fc.array(fc.tuple(aDecimal(5, 4), aFee), { minLength: 4, maxLength: 4 }),
  )
  .map(([widths, prices]) => {
    let end = 0;
    const bounds = widths.map((width) => {
      end += width;
      return String(end);
    });
    return [...bounds, null].map((upTo, index) => ({ upTo, unitPrice: prices[index]?.[0] ?? '0', flatFee: prices[index]?.[1] ?? null }));
  });

const aStrategy: fc.Arbitrary<StrategyDetails> = fc.oneof(
  fc.constant<StrategyDetails>({ kind: 'flat' }),
  fc.tuple(aBatch, aFee).map(([batchSize, flatFee]) => perUnit({ batchSize, flatFee })),
  fc
    .record({
      batchSize: aBatch,
      flatFee: aFee,
      minimumUnits: fc.option(aDecimal(50, 2)),
      maximumUnits: fc.option(fc.integer({ min: 50, max: 90 }).map(String)),
      overUsagePrice: fc.option(aDecimal(5, 4)),
      overUsageChargeStrategy: fc.constantFrom('extra_usage_overcharge' as const, 'all_usage_overcharge' as const),
    })
    .map((details) => usage(details)),
  fc.tuple(someTiers, aMode, aBatch, aFee).map(([tiers, tierMode, batchSize, flatFee]) => {
    const { unitName, unitCount, minimumUnits, maximumUnits } = perUnit();
    return { kind: 'unit_tiered' as const, unitName, unitCount, minimumUnits, maximumUnits, batchSize, flatFee, tiers, tierMode };
  }),
  fc.tuple(someTiers, aMode, aBatch, aFee, fc.option(aDecimal(50, 2))).map(([tiers, tierMode, batchSize, flatFee, minimumUnits]) => {
    return { kind: 'usage_tiered' as const, unitName: 'call', minimumUnits, maximumUnits: null, batchSize, flatFee, tiers, tierMode };
  }),
);

/** Shares from nothing to all, of days, odd numbers and milliseconds. */
export const aRatio: fc.Arbitrary<Ratio> = fc
  .tuple(fc.constantFrom(1, 7, 30, 31, 365, 2_678_400_000), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([whole, share]) => ({ part: Math.round(whole * share), whole }));

/** A charge of any price, whole or in part, free or not, with or without discount. */
export const aCharge: fc.Arbitrary<Charge> = fc
  .record({ amount: anAmount, strategy: aStrategy, units: aDecimal(120, 2), ratio: fc.oneof(fc.constant({ part: 30, whole: 30 }), aRatio) })
  .chain(({ amount, strategy, units, ratio }) =>
    fc
      .record({ free: fc.integer({ min: 0, max: 9 }), discountable: fc.integer({ min: 0, max: 9 }) })
      .map((some) => charge(priceOf(amount, strategy), { units, ratio, free: some.free === 0, discountable: some.discountable > 0 })),
  );

/** Any discount, or none. */
export const aDiscount: fc.Arbitrary<ContractDiscount | null> = fc.oneof(
  fc.constant(null),
  aDecimal(100, 2).map((percent) => discountOf('percentage', percent)),
  aDecimal(1500, 2).map((amount) => discountOf('flat', amount)),
);

/** Every currency; half of the time one of each count of digits. */
export const aCurrency: fc.Arbitrary<Currency> = fc.oneof(fc.constantFrom<Currency>('jpy', 'usd', 'kwd'), fc.constantFrom(...CURRENCIES));

/** Both policies, usual and unusual rates, and none. */
export const aTax: fc.Arbitrary<TaxContext> = fc
  .tuple(
    fc.constantFrom('0', '0.05', '0.07', '0.19', '0.0825', '1.5'),
    fc.constantFrom('tax_included' as const, 'tax_excluded' as const),
    fc.boolean(),
  )
  .map(([rate, policy, none]) => (none ? { ...taxAt(rate, policy), rates: [] } : taxAt(rate, policy)));
