import fc from 'fast-check';
import { at, type Instant } from '../../../billing/calendar/instant.ts';
import { FULL } from '../../../billing/calendar/ratio.ts';
import { boundsIn, usageParts } from '../../../billing/credit/parts.ts';
import { type OpenLine, roomInCredits } from '../../../billing/credit/room.ts';
import type { Grant } from '../../../billing/credit/types.ts';
import { useGrants } from '../../../billing/credit/use.ts';
import { readDerivation } from '../../../billing/explain/explain-line.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { type Decimal, dec, sum } from '../../../billing/money/decimal.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { usagePrice } from '../../support-billing/catalogue.ts';
import { anyUsagePrice } from '../../support-billing/random-prices.ts';
import { charge, context, taxAt } from '../example-scope.ts';

// Usage within the room of each feature takes less of the grants than was left, each event as it comes.

const SPAN = { start: at('2025-06-01'), end: at('2025-07-01') };
const day = (n: number): Instant => SPAN.start + n * 86_400_000;
const SLUGS = ['calls', 'data'] as const;

interface Event {
  slug: (typeof SLUGS)[number];
  at: Instant;
  units: Decimal;
}

const spans = fc
  .record({ from: fc.integer({ min: -5, max: 25 }), length: fc.option(fc.integer({ min: 1, max: 40 })) })
  .map(({ from, length }) => ({ effectiveAt: day(from), expiresAt: length === null ? null : day(from + length) }));
const grants: fc.Arbitrary<Grant[]> = fc.array(
  fc
    .record({
      span: spans,
      left: fc.integer({ min: 1, max: 6_000 }).map((n) => (n / 100).toFixed(2)),
      priority: fc.integer({ min: 0, max: 2 }),
      features: fc.constantFrom(null, ['calls'], ['data']),
      number: fc.nat(9_999),
    })
    .map(({ span, number, ...more }) => ({ ...span, ...more, id: `Grant_${number}`, kind: 'promotional', currency: 'usd', plans: null })),
  { minLength: 1, maxLength: 4 },
);
const counted = fc.array(fc.record({ slug: fc.constantFrom(...SLUGS), day: fc.nat(19), units: fc.nat(60) }), { maxLength: 6 });
const diary = fc.record({
  prices: fc.tuple(anyUsagePrice, anyUsagePrice),
  rate: fc.constantFrom(null, '0.19'),
  grants,
  counted,
  left: fc.integer({ min: 1, max: 3_000 }).map((n) => (n / 100).toFixed(2)),
  /** later events: which part of what is left of their feature's room they take, in thousandths */
  later: fc.array(fc.record({ n: fc.nat(1), hours: fc.nat(24 * 9), part: fc.nat(1_000) }), { minLength: 1, maxLength: 8 }),
});
const NOW = day(20);

function linesOf(prices: readonly Price[], rate: string | null, spans: readonly Grant[], events: readonly Event[]): OpenLine[] {
  const tax = rate === null ? {} : taxAt(rate, 'tax_excluded');
  return SLUGS.flatMap((slug, n) => {
    const own = events.filter((event) => event.slug === slug);
    const unitsBy = (until: Instant): string => sum(own.filter((event) => event.at < until).map(({ units }) => units)).toFixed();
    const price = prices[n] ?? usagePrice('1');
    const charges = [
      charge(price, { units: unitsBy(Number.POSITIVE_INFINITY), kind: 'usage', source: `feature:${slug}`, span: SPAN, ratio: FULL }),
    ];
    return chargeLines(charges, context(tax)).map((line) => {
      const cuts = boundsIn(spans, SPAN).map((until) => ({ at: until, units: unitsBy(until) }));
      const derivation = readDerivation(line.derivation);
      if (derivation.type !== 'charge') throw new Error('a charge has another derivation');
      return { contractId: 'Cont_1', idx: 1, slug, line: { ...line, span: SPAN, derivation }, counted: cuts };
    });
  });
}

function usedOf(lines: readonly OpenLine[], of: readonly Grant[]): Decimal {
  const parts = lines.map(({ slug, line, counted: cuts }) => ({
    ...{ id: slug, planId: 'Plan_1', kind: 'usage' as const, source: `feature:${slug}` },
    parts: usageParts(line, cuts),
  }));
  const remaining = sum(lines.map(({ line }) => dec(line.totalIncludingTax))).toFixed();
  const begun = of.filter(({ effectiveAt }) => effectiveAt <= NOW);
  return sum(useGrants(begun, [{ id: 'Inv_1', remaining, lines: parts }]).map(({ amount }) => dec(amount)));
}

test('events within the room of their features, dated after the latest begin or end of a grant, take less than was left', () => {
  fc.assert(
    fc.property(diary, ({ prices, rate, grants: own, counted: before, left, later }) => {
      const events: Event[] = before.map(({ slug, day: n, units }) => ({ slug, at: day(n), units: dec(units) }));
      const bounds = own.flatMap(({ effectiveAt, expiresAt }) => [effectiveAt, expiresAt ?? effectiveAt]).filter((one) => one <= NOW);
      const since = Math.max(0, ...bounds);
      const lines = linesOf(prices, rate, own, events);
      const used = usedOf(lines, own);
      const rooms = roomInCredits(lines, left, since).map(({ slug, units }) => ({ slug, left: dec(units ?? '100000') }));
      for (const { n, hours, part } of later) {
        const room = rooms[n % Math.max(1, rooms.length)];
        if (room === undefined) break;
        const units = room.left.times(part).div(1_000);
        room.left = room.left.minus(units);
        events.push({ slug: room.slug === 'calls' ? 'calls' : 'data', at: Math.max(since, NOW) + hours * 3_600_000, units });
        expect(
          usedOf(linesOf(prices, rate, own, events), own)
            .minus(used)
            .lt(left),
        ).toBe(true);
      }
    }),
    runs(),
  );
});

test('10 units at 1.00 that come in front of others may take 10.00 of a grant for that time, though the line stays as it is', () => {
  const dear = { ...usagePrice('1'), strategy: { ...usagePrice('1').strategy, maximumUnits: '10', overUsagePrice: '0' } } as Price;
  const grant: Grant = {
    ...{ id: 'Grant_1', kind: 'promotional', currency: 'usd', priority: 0, features: null, plans: null, left: '50.00' },
    ...{ effectiveAt: day(0), expiresAt: day(22) },
  };
  const after = { slug: 'calls' as const, at: day(23), units: dec(10) };
  const lines = linesOf([dear, usagePrice('0')], null, [grant], [after]);
  expect(usedOf(lines, [grant]).toFixed(2)).toBe('0.00');
  const [room] = roomInCredits(lines, '5.00', day(0));
  expect(Number(room?.units)).toBeGreaterThan(4.5);
  expect(Number(room?.units)).toBeLessThan(5);
});
