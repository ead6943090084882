import fc from 'fast-check';
import { at, DAY, HOUR, type Instant, iso } from '../../../billing/calendar/instant.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { UsagePeriodClosingPolicy } from '../../../billing/contract/types.ts';
import { readDerivation } from '../../../billing/explain/explain-line.ts';
import { recomputeLine } from '../../../billing/explain/recompute.ts';
import type { Price, Tier } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import {
  add,
  cents,
  num,
  type PartStart,
  type Share,
  shareOf,
  shownMoney,
  total,
  usageAmountOf,
} from '../../support-billing/second-way.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// Usage over any number of changes inside one June, worked out again from its events and the texts of the rules.

const [BEGIN, END] = [at('2025-06-01'), at('2025-07-01')];
const amounts = fc.integer({ min: 0, max: 900 }).map((n) => (n / 100).toFixed(2));
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of);
const tiers = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { maxLength: 3 }),
    fc.array(fc.tuple(amounts, orNull(amounts)), { minLength: 4, maxLength: 4 }),
  )
  .map(([ends, prices]): Tier[] =>
    [...ends.sort((a, b) => a - b).map(String), null].map((upTo, i) => ({
      upTo,
      unitPrice: prices[i]?.[0] ?? '0',
      flatFee: prices[i]?.[1] ?? null,
    })),
  );
const limits = fc.record({
  batchSize: orNull(fc.integer({ min: 1, max: 40 })),
  minimumUnits: orNull(fc.nat(60).map(String)),
  flatFee: orNull(amounts),
});
const callPrice: fc.Arbitrary<Price> = fc.oneof(
  fc
    .tuple(amounts, limits, orNull(fc.integer({ min: 60, max: 120 })), orNull(amounts), fc.boolean())
    .map(([amount, more, maximum, overUsagePrice, all]) =>
      price(amount, {
        kind: 'usage',
        unitName: 'call',
        ...more,
        maximumUnits: maximum === null ? null : String(maximum),
        overUsagePrice,
        overUsageChargeStrategy: all ? 'all_usage_overcharge' : 'extra_usage_overcharge',
      }),
    ),
  fc
    .tuple(fc.constantFrom('graduated' as const, 'volume' as const), tiers, limits)
    .map(([tierMode, list, more]) =>
      price('0', { kind: 'usage_tiered', unitName: 'call', ...more, maximumUnits: null, tierMode, tiers: list }),
    ),
);

interface Deed {
  /** a whole number of minutes, so that some fall on the instant of another */
  after: number;
  what: 'use' | 'mark' | 'seat' | 'plan';
  units: number;
}
const deeds = fc.array(
  fc.record<Deed>({
    after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 * 24 * 60 })),
    what: fc.constantFrom('use', 'use', 'use', 'mark', 'seat', 'plan'),
    units: fc.nat(60),
  }),
  { maxLength: 14 },
);
const policies = fc.constantFrom<UsagePeriodClosingPolicy>('automatic', '1 hour', '1 day');

const offer = (n: number, calls: Price): Offer =>
  planOffer(`p${n}`, { price: String(30 + n), features: { seats: seats('5', '1'), calls } });

interface Part {
  sold: Price;
  from: Instant;
  until: Instant;
  base: number;
  count: number;
}

/**
 * Plays the actions and computes the parts a second way: units counted in order of time, divided where the price
 * changes.
 */
function play(prices: readonly Price[], diary: readonly Deed[], policy: UsagePeriodClosingPolicy): { story: Story; parts: Part[] } {
  const [first = price('0')] = prices;
  const story = signs('2025-06-01', offer(0, first), { configuration: { usagePeriodClosingPolicy: policy } });
  const parts: Part[] = [{ sold: first, from: BEGIN, until: END, base: 0, count: 0 }];
  let [now, changed] = [BEGIN, 0];
  for (const { after, what, units } of diary) {
    now += after * 60_000;
    if (now >= END - HOUR) break;
    const part = parts.at(-1);
    if (part === undefined) break;
    if (what === 'use' || what === 'mark') {
      // what is reported at the very instant of a change counts as after it
      now += 1;
      story.uses(iso(now), 'calls', String(units), what === 'mark');
      part.count = what === 'mark' ? Math.max(part.base, units) : part.count + units;
      continue;
    }
    changed += 1;
    if (what === 'seat') {
      changes(story, iso(now), toUnits({ seats: String(changed + 1) }));
      continue;
    }
    const sold = prices[changed % prices.length] ?? first;
    changes(story, iso(now), changeToPlan(offer(changed, sold), { downgradeAllowed: true }));
    if (essence(sold) === essence(part.sold)) continue;
    part.until = now;
    parts.push({ sold, from: now, until: END, base: part.count, count: part.count });
  }
  story.advance(iso(END + DAY));
  return { story, parts };
}

const essence = ({ amount, strategy }: Price): string => {
  const plain = (key: string, value: unknown): unknown => {
    if (key === 'flatFee') return value ?? '0.00';
    return key === 'minimumUnits' ? (value ?? '0') : value;
  };
  const { overUsagePrice = null, ...details } = strategy as { overUsagePrice?: string | null; maximumUnits: string | null };
  const over = details.maximumUnits === null ? null : (overUsagePrice ?? amount);
  return JSON.stringify([amount, over, details.maximumUnits === null ? { ...details, overUsageChargeStrategy: null } : details], plain);
};

const amountsOf = (parts: readonly Part[]): string[] => {
  let charged: Share | null = null;
  return parts.map(({ sold, from, until, base, count }, index) => {
    const start: PartStart | null =
      index === 0 || (charged === null && base === 0) ? null : { units: String(base), tierFees: charged && shownMoney(cents(charged)) };
    const { tierFees, amount } = usageAmountOf(sold, String(count - base), shareOf(until - from, END - BEGIN), start);
    if (until > from || count > base) charged = add(charged ?? num('0'), tierFees);
    return shownMoney(cents(amount));
  });
};

function usageLines({ ledger }: Story): string[] {
  const lines = [...ledger.lines.values()].filter(({ kind, dueDate }) => kind === 'usage' && dueDate <= END + DAY);
  for (const line of lines) expect(recomputeLine(readDerivation(line.derivation)).subtotal).toBe(line.subtotal);
  return lines.map(({ subtotal }) => subtotal);
}

test('over any number of changes each part costs what its events, counted on, come to a second way', () => {
  fc.assert(
    fc.property(fc.array(callPrice, { minLength: 1, maxLength: 3 }), deeds, policies, (prices, diary, policy) => {
      const { story, parts } = play(prices, diary, policy);
      expect(usageLines(story).sort()).toEqual(amountsOf(parts).sort());
    }),
    runs(),
  );
});

test('at one price, changing seats and plans any number of times charges what one period would', () => {
  fc.assert(
    fc.property(callPrice, deeds, policies, (calls, diary, policy) => {
      const { story } = play([calls], diary, policy);
      const { story: still } = play(
        [calls],
        diary.map((deed) => (deed.what === 'use' || deed.what === 'mark' ? deed : { ...deed, what: 'use', units: 0 })),
        policy,
      );
      expect(usageLines(story)).toEqual(usageLines(still));
      expect(usageLines(story)).toHaveLength(1);
    }),
    runs(),
  );
});

test('without minimum, fees and volume rates the parts come to what their units cost alone', () => {
  fc.assert(
    fc.property(amounts, amounts, deeds, policies, (one, other, diary, policy) => {
      const metered = (amount: string, maximumUnits: string): Price =>
        price(amount, {
          kind: 'usage',
          unitName: 'call',
          batchSize: null,
          minimumUnits: null,
          flatFee: null,
          maximumUnits,
          overUsagePrice: null,
          overUsageChargeStrategy: 'extra_usage_overcharge',
        });
      const { story, parts } = play([metered(one, '10'), metered(other, '20')], diary, policy);
      const cost = parts.map(({ sold, base, count }) =>
        shownMoney(cents(total(Array.from({ length: count - base }, () => num(sold.amount))))),
      );
      expect(usageLines(story).sort()).toEqual(cost.sort());
    }),
    runs(0.5),
  );
});
