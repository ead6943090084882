import fc from 'fast-check';
import { FULL, type Ratio } from '../../../billing/calendar/ratio.ts';
import { dec, text } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { fullAmount, priceAmount } from '../../../billing/pricing/amount.ts';
import { checkPrice, type Price, type Tier } from '../../../billing/pricing/price.ts';
import { recompute } from '../../../billing/pricing/recompute.ts';
import { runs } from '../../support/runs.ts';
import { cents, shareOf, shownMoney, soldAmount } from '../../support-billing/second-way.ts';
import { flat, perUnit, unitTiered, usage, usageTiered } from './prices.ts';

const decimal = (max: number, places: number): fc.Arbitrary<string> =>
  fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: places })).map(([digits, by]) => text(dec(digits).div(dec(10).pow(by))));
const amount = decimal(1_000_000, 6);
const units = fc.oneof(decimal(5_000, 0), decimal(5_000_000, 12));
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of);

const tierList = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 4 }),
    fc.array(fc.tuple(amount, orNull(amount)), { minLength: 5, maxLength: 5 }),
  )
  .map(([bounds, prices]): Tier[] => {
    const upTos = [...bounds.sort((a, b) => a - b).map(String), null];
    return upTos.map((upTo, i) => ({ upTo, unitPrice: prices[i]?.[0] ?? '0', flatFee: prices[i]?.[1] ?? null }));
  });
const limits = fc
  .tuple(orNull(decimal(2_000, 2)), orNull(decimal(2_000, 2)))
  .map(([a, b]) =>
    a !== null && b !== null && dec(a).gt(b) ? { minimumUnits: b, maximumUnits: a } : { minimumUnits: a, maximumUnits: b },
  );
const common = fc.record({ batchSize: orNull(fc.integer({ min: 1, max: 500 })), flatFee: orNull(amount) });
const mode = fc.constantFrom('graduated' as const, 'volume' as const);
const overUsage = fc.record({
  overUsageChargeStrategy: fc.constantFrom('extra_usage_overcharge' as const, 'all_usage_overcharge' as const),
  overUsagePrice: orNull(amount),
});

const usagePrice: fc.Arbitrary<Price> = fc.oneof(
  fc.tuple(amount, limits, common, overUsage).map(([a, l, c, o]) => usage(a, { ...l, ...c, ...o })),
  fc.tuple(mode, tierList, limits, common).map(([m, t, l, c]) => usageTiered(m, t, { ...l, ...c })),
);
const boughtPrice: fc.Arbitrary<Price> = fc.oneof(
  amount.map(flat),
  fc.tuple(amount, common).map(([a, c]) => perUnit(a, c)),
  fc.tuple(mode, tierList, common).map(([m, t, c]) => unitTiered(m, t, c)),
);
const anyPrice = fc.oneof(usagePrice, boughtPrice);
const ratio: fc.Arbitrary<Ratio> = fc.oneof(
  fc.constant(FULL),
  fc
    .tuple(fc.integer({ min: 0, max: 31_622_400_000 }), fc.integer({ min: 1, max: 31_622_400_000 }))
    .map(([a, b]) => ({ part: Math.min(a, b), whole: Math.max(a, b) })),
  fc.tuple(fc.integer({ min: 0, max: 31 }), fc.constantFrom(28, 29, 30, 31)).map(([a, b]) => ({ part: Math.min(a, b), whole: b })),
);

test('every amount is found again from its plain derivation, in whole-number fractions', () => {
  fc.assert(
    fc.property(anyPrice, units, ratio, (price, count, part) => {
      const priced = priceAmount(price, count, part, 'usd');
      expect(recompute(JSON.parse(JSON.stringify(priced.steps)), 'usd')).toBe(moneyText(priced.exact, 'usd'));
    }),
    runs(3),
  );
});

test('every amount is what the rules come to when worked out a second way from the price itself', () => {
  fc.assert(
    fc.property(anyPrice, units, ratio, (price, count, part) => {
      const again = soldAmount(price, count, shareOf(part.part, part.whole));
      expect(moneyText(priceAmount(price, count, part, 'usd').exact, 'usd')).toBe(shownMoney(cents(again)));
    }),
    runs(3),
  );
});

test('the amount of a price that is only compared is the one that is charged for a whole period', () => {
  fc.assert(
    fc.property(anyPrice, fc.oneof(units, fc.constant('0')), (price, count) => {
      expect(text(fullAmount(price, count, 'usd'))).toBe(text(priceAmount(price, count, FULL, 'usd').exact));
    }),
    runs(3),
  );
});

const began = fc.record({ units, tierFees: orNull(amount) });

test('every amount of a part after a change is what the rules come to a second way, and is found again from its derivation', () => {
  fc.assert(
    fc.property(usagePrice, units, ratio, began, (price, count, part, start) => {
      const priced = priceAmount(price, count, part, 'usd', start);
      const again = soldAmount(price, count, shareOf(part.part, part.whole), start);
      expect(moneyText(priced.exact, 'usd')).toBe(shownMoney(cents(again)));
      expect(recompute(JSON.parse(JSON.stringify(priced.steps)), 'usd')).toBe(moneyText(priced.exact, 'usd'));
    }),
    runs(3),
  );
});

test('however often a price without minimum and fee of its own is divided, graduated parts add up to the whole', () => {
  const additive = fc.oneof(
    fc.tuple(tierList, common).map(([t, c]) => usageTiered('graduated', t, { ...c, flatFee: null })),
    fc
      .tuple(amount, limits, common, orNull(amount))
      .map(([a, l, c, o]) => usage(a, { ...l, ...c, minimumUnits: null, flatFee: null, overUsagePrice: o })),
  );
  fc.assert(
    fc.property(additive, fc.array(units, { minLength: 1, maxLength: 6 }), (price, counts) => {
      let [before, total] = [dec(0), dec(0)];
      for (const [index, count] of counts.entries()) {
        const start = index === 0 ? null : { units: text(before), tierFees: '0' };
        total = total.plus(priceAmount(price, count, { part: 1, whole: counts.length }, 'usd', start).exact);
        before = before.plus(count);
      }
      expect(text(total)).toBe(text(priceAmount(price, text(before), FULL, 'usd').exact));
    }),
    runs(),
  );
});

test('a whole price that is only compared comes to the same', () => {
  fc.assert(
    fc.property(anyPrice, units, (price, count) => {
      expect(text(fullAmount(price, count, 'usd'))).toBe(text(priceAmount(price, count, FULL, 'usd').exact));
    }),
    runs(),
  );
});

test('every price made here passes the check, so a refused one never comes this far', () => {
  fc.assert(
    fc.property(anyPrice, (price) => {
      expect(checkPrice(price, 'price', { chargeTrigger: 'every_cycle' })).toEqual([]);
    }),
    runs(),
  );
});

test('no amount is negative, and nothing is charged twice: the charges’ units add up to the units charged', () => {
  fc.assert(
    fc.property(anyPrice, units, ratio, (price, count, part) => {
      const priced = priceAmount(price, count, part, 'usd');
      expect(priced.exact.gte(0)).toBe(true);
      const charged = priced.pieces.reduce((total, piece) => total.plus(piece.units ?? 0), dec(0));
      if (price.strategy.kind !== 'flat') expect(text(charged.toDecimalPlaces(12))).toBe(priced.unitCount);
      const split = dec(priced.unitsCharged)
        .plus(priced.overUsageUnitCharged ?? 0)
        .minus(priced.unitCount)
        .abs();
      expect(split.lte('0.000000000001')).toBe(true);
    }),
    runs(),
  );
});

test('bought prices are pro-rated as a whole: the parts of a period add up to the period', () => {
  fc.assert(
    fc.property(boughtPrice, units, fc.integer({ min: 1, max: 31 }), fc.nat(), (price, count, whole, seed) => {
      const part = seed % (whole + 1);
      const of = (used: number) => priceAmount(price, count, { part: used, whole }, 'usd').exact;
      expect(moneyText(of(part).plus(of(whole - part)), 'usd')).toBe(moneyText(of(whole), 'usd'));
      expect(moneyText(of(whole), 'usd')).toBe(moneyText(priceAmount(price, count, FULL, 'usd').exact, 'usd'));
    }),
    runs(),
  );
});

test('graduated prices, and usage charged above its maximum alone, never fall with more units', () => {
  const monotone = fc.oneof(
    fc.tuple(tierList, limits, common).map(([t, l, c]) => usageTiered('graduated', t, { ...l, ...c })),
    fc.tuple(tierList, common).map(([t, c]) => unitTiered('graduated', t, c)),
    fc.tuple(amount, limits, common, orNull(amount)).map(([a, l, c, o]) => usage(a, { ...l, ...c, overUsagePrice: o })),
    fc.tuple(amount, common).map(([a, c]) => perUnit(a, c)),
  );
  fc.assert(
    fc.property(monotone, units, units, ratio, (price, a, b, part) => {
      const [fewer, more] = dec(a).lte(b) ? [a, b] : [b, a];
      const [low, high] = [priceAmount(price, fewer, part, 'usd').exact, priceAmount(price, more, part, 'usd').exact];
      expect(high.minus(low).gte('-1e-40')).toBe(true);
    }),
    runs(),
  );
});

test('usage never falls with a longer part of the period', () => {
  fc.assert(
    fc.property(usagePrice, units, fc.nat(31), fc.nat(31), (price, count, a, b) => {
      if (price.strategy.kind === 'usage_tiered' && price.strategy.tierMode === 'volume') return;
      if (price.strategy.kind === 'usage' && price.strategy.overUsageChargeStrategy === 'all_usage_overcharge') return;
      const [short, long] = [Math.min(a, b), Math.max(a, b)].map((part) => priceAmount(price, count, { part, whole: 31 }, 'usd').exact);
      expect(long?.minus(short ?? 0).gte('-1e-40')).toBe(true);
    }),
    runs(),
  );
});

test('how units are written doesn’t matter: 5, 5.0 and 05 cost the same', () => {
  fc.assert(
    fc.property(anyPrice, fc.integer({ min: 0, max: 5_000 }), ratio, (price, count, part) => {
      const [plain, ...others] = [`${count}`, `${count}.0`, `0${count}`].map((written) =>
        JSON.stringify(priceAmount(price, written, part, 'usd')),
      );
      for (const other of others) expect(other).toBe(plain);
    }),
    runs(0.5),
  );
});
