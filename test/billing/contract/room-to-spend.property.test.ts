import fc from 'fast-check';
import { at } from '../../../billing/calendar/instant.ts';
import { withMore } from '../../../billing/contract/charge/most-units.ts';
import { type OpenPart, roomToSpend, type SpendBound } from '../../../billing/contract/charge/room-to-spend.ts';
import { usageOf } from '../../../billing/contract/charge/usage-view.ts';
import { type Decimal, dec, sum } from '../../../billing/money/decimal.ts';
import { Looks } from '../../support/looks.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { anyUsagePrice } from '../../support-billing/random-prices.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// Events within the room of each feature reach no bound, each priced as it comes, whatever the prices.

const money = fc.integer({ min: 1, max: 8_000 }).map((n) => (n / 100).toFixed(2));
const bounds: fc.Arbitrary<SpendBound[]> = fc.array(fc.record({ slug: fc.constantFrom('calls', 'data', null), below: money }), {
  maxLength: 3,
});
const reports = fc.array(
  fc.record({ day: fc.integer({ min: 1, max: 27 }), slug: fc.constantFrom('calls', 'data'), units: fc.nat(70), marks: fc.boolean() }),
  { maxLength: 5 },
);
const contract = fc.record({ calls: anyUsagePrice, data: anyUsagePrice, other: anyUsagePrice, reports, changesPlan: fc.boolean(), bounds });
const diary = fc.record({
  contracts: fc.tuple(contract, contract),
  /** which feature an event is of, and which part of what is left of its room it takes, in thousandths */
  events: fc.array(fc.record({ at: fc.nat(5), part: fc.nat(1_000) }), { minLength: 1, maxLength: 12 }),
});

const date = (day: number): string => `2025-06-${String(day).padStart(2, '0')}`;
const LAST = '2025-06-28';

function lived({ calls, data, other, reports: some, changesPlan }: typeof contract extends fc.Arbitrary<infer T> ? T : never): Story {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls, data, seats: seats('5', '1') } }));
  const ordered = some.toSorted((a, b) => a.day - b.day);
  const use = (events: typeof some): void => {
    for (const { day, slug, units, marks } of events) story.uses(`${date(day)}T12:00`, slug, String(units), marks && units % 3 === 0);
  };
  use(ordered.filter(({ day }) => day < 16));
  if (changesPlan) changes(story, date(16), changeToPlan(planOffer('max', { price: '90', features: { calls: other, data } })));
  use(ordered.filter(({ day }) => day >= 16));
  return story;
}

/** The running period of a story's contract, as that of a customer's contract with such an id. */
function partOf(story: Story, id: string, own: SpendBound[]): OpenPart {
  const { contract: found, periods, usage, earlier } = snapshotOf(story.ledger, story.id(), at(LAST));
  const [period] = periods.filter(({ idx }) => idx === found.currentIdx);
  if (period === undefined) throw new Error('no period runs');
  const counted = usage.filter(({ periodIdx }) => periodIdx === period.idx).map((total) => ({ ...total, contractId: id }));
  return {
    ...{ contract: { ...found, id }, period: { ...period, contractId: id }, usage: counted },
    ...{ earlier, isRunning: true, bounds: own },
  };
}

const amountOf = (part: OpenPart, slug: string | null): Decimal =>
  sum(
    usageOf(part, part.earlier, [])
      .filter((one) => slug === null || one.slug === slug)
      .map(({ amount }) => dec(amount)),
  );

/** What events of a period are watched for: one feature's usage there, or all of both contracts. */
const spentIn = (parts: readonly OpenPart[], part: OpenPart, slug: string | null): Decimal =>
  slug === null ? sum(parts.map((each) => amountOf(each, null))) : amountOf(part, slug);

test('events within the room of their features reach no bound, each priced as it comes', () => {
  fc.assert(
    fc.property(diary, ({ contracts: [a, b], events }) => {
      let parts = [partOf(lived(a), 'Cont_A', a.bounds), partOf(lived(b), 'Cont_B', b.bounds)];
      const left = roomToSpend(parts, []).map(({ units, ...of }) => ({ ...of, left: dec(units ?? '100000') }));
      for (const { at: place, part } of events) {
        const room = left[place % Math.max(1, left.length)];
        if (room === undefined) break;
        const units = room.left.times(part).div(1_000);
        room.left = room.left.minus(units);
        parts = parts.map((one) =>
          one.contract.id === room.contractId ? { ...one, usage: withMore(one.usage, one.period, room.slug, units) } : one,
        );
        for (const one of parts.filter(({ contract: { id } }) => id === room.contractId)) {
          for (const bound of one.bounds.filter(({ slug }) => slug === null || slug === room.slug))
            expect(spentIn(parts, one, bound.slug).lt(bound.below)).toBe(true);
        }
      }
    }),
    runs(),
  );
});

test('a bound that is reached already leaves its events no room, and those of the other contract theirs', () => {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls: usagePrice('1'), data: usagePrice('2') } }));
  story.uses('2025-06-05', 'calls', '20');
  const [a, b] = ['Cont_A', 'Cont_B'].map((id) => partOf(story, id, [])) as [OpenPart, OpenPart];
  const rooms = roomToSpend(
    [
      { ...a, bounds: [{ slug: 'calls', below: '20.00' }] },
      { ...b, bounds: [{ slug: 'calls', below: '120.00' }] },
    ],
    [],
  );
  expect(rooms.map(({ contractId, slug }) => [contractId, slug])).toEqual([
    ['Cont_A', 'data'],
    ['Cont_B', 'calls'],
    ['Cont_B', 'data'],
  ]);
  const [free, calls, data] = rooms.map(({ units }) => units);
  expect([free, data]).toEqual([null, null]);
  expect(Number(calls)).toBeGreaterThan(90);
  expect(Number(calls)).toBeLessThan(100);
});

test('a bound on both contracts together gives each of their two prices a quarter of the 80.00 that are left', () => {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls: usagePrice('1'), data: usagePrice('2') } }));
  story.uses('2025-06-05', 'calls', '10');
  const all = [{ slug: null, below: '100.00' }];
  const units = roomToSpend([partOf(story, 'Cont_A', all), partOf(story, 'Cont_B', all)], []).map((room) => Number(room.units));
  for (const [at, most] of [20, 10, 20, 10].entries()) {
    expect(units[at]).toBeGreaterThan(most * 0.9);
    expect(units[at]).toBeLessThan(most);
  }
});

test('a part of a period that ended counts for its own bounds beside what runs, and leaves other contracts less', () => {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls: usagePrice('1') } }));
  story.uses('2025-06-05', 'calls', '10');
  const all = (below: string): SpendBound[] => [{ slug: null, below }];
  const ended = { ...partOf(story, 'Cont_A', all('50.00')), isRunning: false };
  const running = [partOf(story, 'Cont_A', []), partOf(story, 'Cont_B', all('100.00'))];
  // 30.00 are left of 50.00 for the ended part and the other contract, 80.00 of 100.00 for what runs
  const most = [15, 40, 15];
  const units = roomToSpend([ended, ...running], []).map((room) => Number(room.units));
  for (const [at, limit] of most.entries()) {
    expect(units[at]).toBeGreaterThan(limit * 0.9);
    expect(units[at]).toBeLessThan(limit);
  }
});

test('twice as many contracts are looked at twice as often', () => {
  const story = signs('2025-06-01', planOffer('pro', { features: { calls: usagePrice('1') } }));
  const looksAt = (contracts: number): number => {
    const looks = new Looks();
    const bounds = ['100000.00', '200000.00'].map((below) => ({ slug: null, below }));
    const parts = Array.from({ length: contracts }, (_, n) => looks.at(partOf(story, `Cont_${n}`, bounds)));
    expect(roomToSpend(parts, [])).toHaveLength(contracts);
    return looks.count;
  };
  expect(looksAt(80)).toBeLessThan(2.5 * looksAt(40));
});
