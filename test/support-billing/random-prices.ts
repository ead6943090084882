import fc from 'fast-check';
import type { Price, Tier } from '../../billing/pricing/price.ts';
import { price } from './catalogue.ts';

/** Prices of usage for properties: small numbers, so that tiers, batches, minimum and maximum are met. */

const cent = fc.integer({ min: 0, max: 9_999 }).map((n) => (n / 10_000).toFixed(4));
export const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of);
const tiers = fc
  .record({ end: fc.integer({ min: 1, max: 60 }), prices: fc.tuple(cent, cent), fees: fc.tuple(orNull(cent), orNull(cent)) })
  .map(({ end, prices, fees }): Tier[] => [
    { upTo: String(end), unitPrice: prices[0], flatFee: fees[0] },
    { upTo: null, unitPrice: prices[1], flatFee: fees[1] },
  ]);

const numbers = fc.record({
  amount: cent,
  minimum: orNull(fc.nat(80)),
  fee: orNull(cent),
  batch: orNull(fc.integer({ min: 2, max: 9 })),
  maximum: orNull(fc.integer({ min: 81, max: 120 })),
  over: orNull(cent),
  tiers: orNull(tiers),
  reprices: fc.boolean(),
});

function priceOf({
  amount,
  minimum,
  fee,
  batch,
  maximum,
  over,
  tiers: bands,
  reprices,
}: typeof numbers extends fc.Arbitrary<infer T> ? T : never) {
  const limits = { unitName: 'call', minimumUnits: minimum === null ? null : String(minimum), batchSize: batch, flatFee: fee };
  if (bands !== null) {
    const tierMode = reprices ? 'volume' : 'graduated';
    return price('0', { ...limits, kind: 'usage_tiered', maximumUnits: null, tierMode, tiers: bands });
  }
  return price(amount, {
    ...limits,
    kind: 'usage',
    maximumUnits: maximum === null ? null : String(maximum),
    overUsagePrice: over,
    overUsageChargeStrategy: reprices ? 'all_usage_overcharge' : 'extra_usage_overcharge',
  });
}

/** A price of usage at which further units never price those before again. */
export const risingPrice: fc.Arbitrary<Price> = numbers.map((one) => priceOf({ ...one, reprices: false }));

/** Any price of usage. */
export const anyUsagePrice: fc.Arbitrary<Price> = numbers.map(priceOf);
