import fc from 'fast-check';
import { at, DAY, HOUR, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { giveBack } from '../../../billing/contract/change/give-back.ts';
import { MOST_LEFT_WITH_ROOM, withMore } from '../../../billing/contract/charge/most-units.ts';
import { roomToThreshold } from '../../../billing/contract/charge/room-to-threshold.ts';
import { openUsageOf } from '../../../billing/contract/charge/threshold.ts';
import { chargesOfEach, usageCharges, usageSoFar } from '../../../billing/contract/charge/usage-charges.ts';
import type { ContractSnapshot } from '../../../billing/contract/types.ts';
import { openWork } from '../../../billing/contract/work.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { Looks } from '../../support/looks.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { anyUsagePrice, risingPrice } from '../../support-billing/random-prices.ts';
import { signs } from '../../support-billing/story.ts';

// What may pile up by the thousand costs as much for each as for a few, and comes to the same.

const START = at('2025-06-01');
const configuration = { usagePeriodClosingPolicy: 'manual' as const };
const noId = (prefix: string): string => prefix;

/** An hourly contract after some hours, of which a caller has closed none. */
function leftOpen(hours: number, prices: Parameters<typeof planOffer>[1], units: (hour: number, slug: string) => number): ContractSnapshot {
  const story = signs(iso(START), planOffer('pro', { cycle: 'hour', ...prices }), { configuration });
  for (let hour = 0; hour < hours; hour += 1)
    for (const slug of Object.keys(prices?.features ?? {}))
      if (units(hour, slug) > 0) story.uses(iso(START + (hour + 0.5) * HOUR), slug, String(units(hour, slug)));
  const now = START + hours * HOUR;
  story.advance(iso(now));
  return snapshotOf(story.ledger, story.id(), now);
}

describe('usage periods that wait for a caller', () => {
  test('are charged as each of them among the totals of all', () => {
    const lived = fc.record({
      features: fc.record({ calls: anyUsagePrice, data: anyUsagePrice }),
      used: fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(lived, ({ features, used }) => {
        const snapshot = leftOpen(used.length, { features }, (hour, slug) => used[hour]?.[slug === 'calls' ? 0 : 1] ?? 0);
        const now = START + used.length * HOUR;
        for (const chargesOf of [usageCharges, usageSoFar]) {
          const alone = snapshot.periods.flatMap((period) => chargesOf(snapshot, period, now));
          expect(chargesOfEach(snapshot, snapshot.periods, (own, period) => chargesOf(own, period, now))).toEqual(alone);
        }
      }),
      runs(0.3),
    );
  });

  test('leave room below an invoice threshold to the latest of them and to the one that runs', () => {
    const lived = fc.record({
      features: fc.record({ calls: risingPrice, data: risingPrice }),
      used: fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1, maxLength: 6 }),
      more: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(lived, ({ features, used, more }) => {
        const open = leftOpen(used.length, { features }, (hour, slug) => used[hour]?.[slug === 'calls' ? 0 : 1] ?? 0);
        const now = START + used.length * HOUR;
        const threshold = dec(openUsageOf(open, now)).plus(more).toFixed(2);
        const { contract } = open;
        const configuration = { ...contract.configuration, invoiceThreshold: threshold };
        const snapshot = { ...open, contract: { ...contract, configuration } };
        const rooms = roomToThreshold(snapshot, now) ?? [];
        expect([...new Set(rooms.map(({ idx }) => idx))]).toEqual(snapshot.periods.map(({ idx }) => idx).slice(-MOST_LEFT_WITH_ROOM - 1));
        const usage = rooms.reduce(
          (totals, { idx, slug, units }) => withMore(totals, { contractId: contract.id, idx }, slug, dec(units ?? '1000')),
          snapshot.usage,
        );
        expect(dec(openUsageOf({ ...snapshot, usage }, now)).lt(threshold)).toBe(true);
      }),
      runs(0.3),
    );
  });

  test('have their totals looked at as often for each, however many they are', () => {
    const looked = (hours: number): number => {
      const snapshot = leftOpen(hours, { features: { calls: usagePrice('1'), data: usagePrice('2') } }, () => 1);
      const looks = new Looks();
      const usage = snapshot.usage.map((total) => looks.at(total));
      chargesOfEach({ ...snapshot, usage }, snapshot.periods, (own, period) => usageCharges(own, period, START + hours * HOUR));
      return looks.count;
    };
    expect(looked(40)).toBeLessThan(2.5 * looked(20));
  });
});

describe('running lines of which nothing is left', () => {
  const AT = at('2025-06-16');
  const story = signs('2025-06-01', planOffer('free', { price: '0', features: { care: ['year', price('365', { kind: 'flat' }, 9)] } }));
  const snapshot = snapshotOf(story.ledger, story.id(), AT);
  const kinds = ['recurring', 'custom'] as const;

  interface Place {
    feature: number;
    kind: (typeof kinds)[number];
    began: number;
  }

  /** A free line that runs for another month from a day on. */
  function lineAt({ feature, kind, began }: Place, index: number): ChargedLine {
    const [free] = snapshot.running.filter((line) => line.source === 'feature:care');
    if (free === undefined) throw new Error('no line is free');
    const start = AT + (began - 10) * DAY;
    return { ...free, id: `Item_${index}`, source: `feature:${feature}`, kind, span: { start, end: start + 40 * DAY } };
  }

  const backOf = (running: ChargedLine[]): string[] => {
    const work = openWork({ ...snapshot, running }, noId);
    return giveBack(work, snapshot.contract, AT).map(({ source, credit }) => `${source} ${credit.at}`);
  };

  test('are given back unless a later line of the same source has begun by then', () => {
    const places = fc.array(fc.record({ feature: fc.nat(2), kind: fc.constantFrom(...kinds), began: fc.nat(20) }), { maxLength: 12 });
    fc.assert(
      fc.property(places, (some) => {
        const running = some.map(lineAt);
        const startOf = (line: ChargedLine): Instant => line.span?.start ?? AT;
        const isReplaced = (line: ChargedLine): boolean =>
          running.some((other) => {
            const isAlike = other.source === line.source && other.kind === line.kind;
            return isAlike && startOf(other) > startOf(line) && startOf(other) <= AT;
          });
        expect(backOf(running)).toEqual(running.filter((line) => !isReplaced(line)).flatMap((line) => backOf([line])));
      }),
      runs(),
    );
  });

  test('are looked at as often for each, however many they are', () => {
    const looked = (lines: number): number => {
      const looks = new Looks();
      backOf(Array.from({ length: lines }, (_, n) => looks.at(lineAt({ feature: 1, kind: 'custom', began: n % 20 }, n))));
      return looks.count;
    };
    expect(looked(200)).toBeLessThan(2.5 * looked(100));
  });
});
