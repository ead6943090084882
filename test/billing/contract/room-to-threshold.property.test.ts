import fc from 'fast-check';
import { at } from '../../../billing/calendar/instant.ts';
import { roomToThreshold } from '../../../billing/contract/charge/room-to-threshold.ts';
import { openUsageOf, planThreshold } from '../../../billing/contract/charge/threshold.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { risingPrice } from '../../support-billing/random-prices.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// Usage within the room of each feature never comes to the threshold, whatever the prices.

const diary = fc.record({
  calls: risingPrice,
  data: risingPrice,
  other: risingPrice,
  events: fc.array(
    fc.record({ day: fc.integer({ min: 1, max: 27 }), slug: fc.constantFrom('calls', 'data'), units: fc.nat(70), marks: fc.boolean() }),
    { maxLength: 8 },
  ),
  changesPlan: fc.boolean(),
  threshold: fc.integer({ min: 1, max: 5_000 }).map((n) => (n / 100).toFixed(2)),
  /** parts of the room that are used, in thousandths */
  used: fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000 })),
});

const date = (day: number): string => `2025-06-${String(day).padStart(2, '0')}`;
const LAST = '2025-06-28';

function lived({ calls, data, other, events, changesPlan, threshold }: typeof diary extends fc.Arbitrary<infer T> ? T : never): Story {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls, data } }), { configuration: { invoiceThreshold: threshold } });
  const use = (some: typeof events): void => {
    for (const { day, slug, units, marks } of some) {
      story.advance(date(day));
      story.uses(`${date(day)}T12:00`, slug, String(units), marks && units % 3 === 0);
      story.does(`${date(day)}T12:00`, planThreshold);
    }
  };
  const ordered = events.toSorted((a, b) => a.day - b.day);
  use(ordered.filter(({ day }) => day < 16));
  if (changesPlan) changes(story, date(16), changeToPlan(planOffer('max', { price: '90', features: { calls: other, data } })));
  use(ordered.filter(({ day }) => day >= 16));
  story.does(LAST, planThreshold);
  return story;
}

const unitsOf = (room: string | null, part: number): string =>
  room === null ? String(part * 1_000) : dec(room).times(part).div(1_000).toFixed();

test('usage within the room of all features stays below the threshold, and brings no invoice', () => {
  fc.assert(
    fc.property(diary, (one) => {
      const story = lived(one);
      const snapshot = snapshotOf(story.ledger, story.id(), at(LAST));
      const room = roomToThreshold(snapshot, at(LAST));
      expect(room?.map(({ slug }) => slug)).toEqual(['calls', 'data']);
      for (const [n, { slug, units }] of (room ?? []).entries()) story.uses(LAST, slug, unitsOf(units, one.used[n] ?? 0));
      const after = snapshotOf(story.ledger, story.id(), at(LAST));
      expect(dec(openUsageOf(after, at(LAST))).lt(one.threshold)).toBe(true);
      const before = story.ledger.invoices.length;
      story.does(LAST, planThreshold);
      expect(story.ledger.invoices).toHaveLength(before);
    }),
    runs(),
  );
});

test('the room of two features is nearly half of what is left for each: 100 units at 0.50 and 25 at 2.00', () => {
  const offer = planOffer('pro', { features: { calls: usagePrice('0.5'), data: usagePrice('2') } });
  const story = signs('2025-06-01', offer, { configuration: { invoiceThreshold: '100.00' } });
  const room = roomToThreshold(snapshotOf(story.ledger, story.id(), at('2025-06-02')), at('2025-06-02')) ?? [];
  const [calls, data] = room.map(({ units }) => Number(units));
  expect(calls).toBeGreaterThan(90);
  expect(calls).toBeLessThan(100);
  expect(data).toBeGreaterThan(22);
  expect(data).toBeLessThan(25);
});
