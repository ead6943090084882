import fc from 'fast-check';
import { at, HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { dec, sum, text } from '../../billing/money/decimal.ts';
import { addTotal } from '../../billing/usage/count.ts';
import { sumUsage, type UsageReport, type UsageSum } from '../../billing/usage/sum.ts';
import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';
import { usageOfPeriods } from '../../db/sql/contract/usage-totals.ts';
import { unitsUntil } from '../../db/sql/credit/units-until.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { type ListedUsage, usageList } from '../../db/sql/usage/list.ts';
import { usageSums } from '../../db/sql/usage/sum.ts';
import { windowUnits } from '../../db/sql/usage/window-units.ts';
import { countUsage, recountUsage } from '../../db/usage/count.ts';
import { runs } from '../support/runs.ts';
import { servers } from '../support/servers.ts';

const FROM = at('2025-01-01');
const TO = at('2025-02-01');
const NOON = at('2025-01-15T12:00:00Z');
const PERIODS = [1, 2];
const SLUGS = ['calls', 'storage'];

const arrivedIn = (of: readonly Reported[]) => of.map((event, arrival) => ({ ...event, arrival }));

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

type Reported = Omit<UsageReport, 'arrival'> & { idx: number; slug: string };

/** Few instants, so that events often share one; most of one period and feature. */
const reported: fc.Arbitrary<Omit<Reported, 'id'>> = fc.record({
  timestamp: fc.integer({ min: -4, max: 4 }).map((hours) => NOON + hours * 3_600_000),
  units: fc
    .integer({ min: 0, max: 99_999 })
    .map((thousandths) => `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`),
  isAbsolute: fc.boolean(),
  discarded: fc.boolean(),
  idx: fc.constantFrom(1, 1, 1, 2),
  slug: fc.constantFrom('calls', 'calls', 'calls', 'storage'),
});

const events = fc.array(reported, { minLength: 1, maxLength: 12 });

interface Act {
  kind: 'report' | 'amend' | 'discard' | 'take away';
  event: Omit<Reported, 'id'>;
  nth: number;
}

/** More often than anything else an event is reported. */
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('report', 'report', 'report', 'amend', 'discard', 'take away'),
  event: reported.map((event) => ({ ...event, discarded: false })),
  nth: fc.nat(14),
});

/** Writes an act and counts it, as the services do. */
async function carriedOut({ kind, event, nth }: Act, of: Reported[], contractId: string): Promise<void> {
  const kept = of.filter(({ discarded }) => !discarded);
  const chosen = kept[nth % Math.max(1, kept.length)];
  if (kind === 'report') return report({ ...event, id: newId('Evt') }, of, contractId);
  if (chosen === undefined) return;
  const units = kind === 'amend' ? event.units : '0';
  const difference = text(dec(units).minus(chosen.units));
  if (kind === 'amend') await db.query('update usage_event set units = $2 where id = $1', [chosen.id, units]);
  if (kind === 'discard') await db.query('update usage_event set discarded_at = now() where id = $1', [chosen.id]);
  if (kind === 'take away') await db.query('delete from usage_event where id = $1', [chosen.id]);
  if (kind === 'amend') chosen.units = units;
  if (kind === 'discard') chosen.discarded = true;
  if (kind === 'take away') of.splice(of.indexOf(chosen), 1);
  const { idx, slug, timestamp: instant, isAbsolute } = chosen;
  await countUsage(db, { contractId, idx, slug }, [
    { units: difference, events: kind === 'amend' ? 0 : -1, listed: kind === 'take away' ? -1 : 0, at: instant, isAbsolute },
  ]);
}

async function report(event: Reported, of: Reported[], contractId: string): Promise<void> {
  await stored([event], contractId);
  of.push(event);
  const { idx, slug, units, timestamp: instant, isAbsolute } = event;
  await countUsage(db, { contractId, idx, slug }, [{ units, events: 1, listed: 1, at: instant, isAbsolute }]);
}

async function expectTotals(contractId: string, of: readonly Reported[]): Promise<void> {
  const periods = PERIODS.map((idx) => ({ contractId, idx }));
  const totals = await usageOfPeriods(db, periods, () => NOON);
  expect(totals.map(({ periodIdx: idx, slug, units, events: count }) => ({ idx, slug, units, events: count }))).toEqual(
    withoutIgnored(ruled(of)),
  );
  expect(
    totals.map((total) => ({ idx: total.periodIdx, slug: total.slug, units: total.unitsUntilNow, events: total.eventsUntilNow })),
  ).toEqual(withoutIgnored(ruled(of, { to: NOON, endIncluded: true })));
  const whole = (units: string | null): string | null => (units === null ? null : text(dec(units)));
  const markerOf = (idx: number, slug: string, until: Instant): string | null => {
    const own = arrivedIn(of).filter((event) => event.idx === idx && event.slug === slug);
    const { marker } = sumUsage(own, { from: FROM, to: until, endIncluded: true });
    return whole(own.find(({ id }) => id === marker)?.units ?? null);
  };
  expect(totals.map(({ marker, markerUntilNow }) => [marker, markerUntilNow])).toEqual(
    totals.map(({ periodIdx, slug }) => [markerOf(periodIdx, slug, TO), markerOf(periodIdx, slug, NOON)]),
  );
}

let arrivals = 0;
function nextArrival(): number {
  arrivals += 1;
  return arrivals;
}

async function stored(of: readonly Reported[], contractId = newId('Cont')): Promise<string> {
  await insertRows(
    db,
    'usage_event',
    of.map(({ id, timestamp, units, isAbsolute, discarded, idx, slug }) => ({
      id,
      seq: nextArrival(),
      vendor_id: contractId,
      customer_id: contractId,
      contract_id: contractId,
      period_idx: idx,
      feature_slug: slug,
      units,
      is_absolute: isAbsolute,
      timestamp: stamp(timestamp),
      arrived_at: stamp(timestamp),
      metadata: {},
      discarded_at: discarded ? stamp(timestamp) : null,
      allow_correction: false,
      corrected: false,
    })),
  );
  return contractId;
}

interface Sum {
  idx: number;
  slug: string;
  units: string;
  events: number;
}

/** What the rule makes of each period and feature that has an event which was kept. */
function ruled(of: readonly Reported[], until: { to: number; endIncluded?: boolean } = { to: TO }): (Sum & { ignored: string[] })[] {
  const arrived = arrivedIn(of);
  return PERIODS.flatMap((idx) =>
    SLUGS.flatMap((slug) => {
      const own = arrived.filter((event) => event.idx === idx && event.slug === slug);
      if (own.every(({ discarded }) => discarded)) return [];
      const { units, counted, ignored }: UsageSum = sumUsage(own, { from: FROM, ...until });
      return [{ idx, slug, units, events: counted, ignored }];
    }),
  );
}

/** What the rule counts part by part. */
function counted(parts: readonly { of: readonly Reported[]; goesOn: boolean }[]): { units: string; events: number }[] {
  let counter = { base: dec(0), count: dec(0), events: 0 };
  return parts.map(({ of, goesOn }) => {
    const arrived = arrivedIn(of);
    const { units, counted: number, marker } = sumUsage(arrived, { from: FROM, to: TO });
    counter = addTotal(counter, { units, events: number, marker: of.find(({ id }) => id === marker)?.units ?? null });
    const { count, events: all } = counter;
    if (!goesOn) counter = { base: count, count, events: 0 };
    return { units: text(count), events: all };
  });
}

type Some = readonly Omit<Reported, 'id'>[];

/** Events of one feature in a chain of contracts that divide a billing period; each goes on from the one before. */
async function storedParts(chain: readonly (readonly [of: Some, goesOn: boolean])[]) {
  const parts = await Promise.all(
    chain.map(async ([some, goesOn]) => {
      const of = some.map((event) => ({ ...event, id: newId('Evt'), idx: 1, slug: 'calls' }));
      return { of, goesOn, contractId: await stored(of) };
    }),
  );
  await insertRows(
    db,
    'usage_period',
    parts.map(({ contractId, goesOn }, index) => ({
      contract_id: contractId,
      idx: 1,
      start_at: stamp(FROM),
      usage_from: stamp(FROM),
      status: 'open',
      marked: false,
      follows_contract_id: parts[index - 1]?.contractId ?? null,
      follows_idx: index === 0 ? null : 1,
      goes_on: goesOn ? ['feature:other', 'feature:calls'] : ['feature:other'],
    })),
  );
  return parts;
}

const withoutIgnored = (sums: ReturnType<typeof ruled>): Sum[] => sums.map(({ ignored: _, ...sum }) => sum);

function counters(contractId: string): Promise<Sum[]> {
  return db.query<Sum>(
    `select period_idx as idx, feature_slug as slug, trim_scale(units)::text as units, events::int as events
     from usage_counter where contract_id = $1 order by 1, 2`,
    [contractId],
  );
}

/** How many events the counters of a contract say that its list has. */
async function listed(contractId: string): Promise<number> {
  const [row] = await db.query<{ n: string }>('select coalesce(sum(listed), 0) as n from usage_counter where contract_id = $1', [
    contractId,
  ]);
  return Number(row?.n);
}

const compared = (check: (of: readonly Reported[], contractId: string) => Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(events, async (some) => {
      const of = some.map((event) => ({ ...event, id: newId('Evt') }));
      await check(of, await stored(of));
    }),
    runs(0.25),
  );

describe('usage summed by Postgres equals the rule, units and number of events, for any mix of events, markers and discarded ones', () => {
  it('in the totals of periods, in all and up to an instant', () =>
    compared(async (of, contractId) => {
      const periods = PERIODS.map((idx) => ({ contractId, idx }));
      for (const { idx } of periods) for (const slug of SLUGS) await recountUsage(db, { contractId, idx, slug });
      await expectTotals(contractId, of);
    }));

  it('in the totals kept while events come, are amended, discarded and taken away one by one', () =>
    fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 15 }), async (acts) => {
        const contractId = newId('Cont');
        const of: Reported[] = [];
        for (const one of acts) await carriedOut(one, of, contractId);
        await expectTotals(contractId, of);
        expect(await listed(contractId)).toBe(of.length);
      }),
      runs(0.25),
    ));

  it('in the counters of a billing period that changes divide, each telling all units so far, whether parts are one sum or not', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(events, fc.boolean()), { minLength: 1, maxLength: 4 }), async (chain) => {
        const parts = await storedParts(chain);
        for (const { contractId } of parts.toReversed()) await recountUsage(db, { contractId, idx: 1, slug: 'calls' });
        const found = await Promise.all(parts.map(async ({ contractId }) => (await counters(contractId))[0]));
        expect(found.map((one) => ({ units: one?.units, events: one?.events }))).toEqual(counted(parts));
      }),
      runs(0.25),
    ));

  it('in the counter of one feature, whatever it held before; that of another one stays', () =>
    compared(async (of, contractId) => {
      const row = { contract_id: contractId, period_idx: 1, units: '7', events: 3 };
      await insertRows(
        db,
        'usage_counter',
        SLUGS.map((slug) => ({ ...row, feature_slug: slug })),
      );
      await recountUsage(db, { contractId, idx: 1, slug: 'calls' });
      const { units, events: count } = ruled(of).find(({ idx, slug }) => idx === 1 && slug === 'calls') ?? { units: '0', events: 0 };
      expect(await counters(contractId)).toEqual([
        { idx: 1, slug: 'calls', units, events: count },
        { idx: 1, slug: 'storage', units: '7', events: 3 },
      ]);
    }));

  it('in what the check of a whole installation sums', () =>
    compared(async (of, contractId) => {
      const sql = usageSums('select $1::text as contract_id, idx, $2::timestamptz as cut_at from unnest($3::int[]) idx');
      const summed = async (units: string, count: string) =>
        db.query<Sum>(
          `select period_idx as idx, feature_slug as slug, trim_scale(${units})::text as units, ${count}::int as events from (${sql}) sums order by 1, 2`,
          [contractId, stamp(NOON), PERIODS],
        );
      expect(await summed('units', 'events')).toEqual(withoutIgnored(ruled(of)));
      expect(await summed('units_until_now', 'events_until_now')).toEqual(withoutIgnored(ruled(of, { to: NOON, endIncluded: true })));
    }));

  it('in the hours of a limit, over all periods', () =>
    compared(async (of, contractId) => {
      const ignored = new Set(ruled(of).flatMap((sum) => sum.ignored));
      const counting = of.filter((event) => event.slug === 'calls' && !event.discarded && !ignored.has(event.id));
      const hours = [-4, -1, 0, 1, 4].map((hour) => ({ from: NOON + hour * HOUR, to: NOON + (hour + 1) * HOUR }));
      const keys = hours.map((hour) => ({ ...hour, customerId: contractId, slug: 'calls', window: 'hour' as const }));
      const expected = hours.map(({ from, to }) => {
        const within = counting.filter(({ timestamp }) => timestamp >= from && timestamp < to);
        return text(sum(within.map(({ units }) => dec(units))));
      });
      expect((await windowUnits(db, keys)).map((units) => text(dec(units)))).toEqual(expected);
    }));

  it('in what credits look at, up to an instant, part by part', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(events, fc.boolean()), { minLength: 1, maxLength: 3 }), async (chain) => {
        const parts = await storedParts(chain);
        const last = parts.at(-1);
        const asked = { contractId: last?.contractId ?? '', idx: 1, slug: 'calls', until: NOON };
        const found = await unitsUntil(db, [
          { ...asked, isEnd: false },
          { ...asked, isEnd: true },
        ]);
        // a part counts with the last one where each between goes on
        const whole = parts.slice(parts.findLastIndex(({ goesOn }, index) => index < parts.length - 1 && !goesOn) + 1);
        const totals = whole.map(({ of }) => {
          const { units, counted: count, marker } = sumUsage(arrivedIn(of), { from: FROM, to: NOON });
          const unitsOf = of.find(({ id }) => id === marker)?.units ?? null;
          return [units, unitsOf === null ? null : text(dec(unitsOf)), count - (marker === null ? 0 : 1)];
        });
        const shown = (place: number) =>
          found
            .filter((total) => total.place === place)
            .map(({ units, marker, events: count }) => [text(dec(units)), marker === null ? null : text(dec(marker)), count]);
        expect(shown(1)).toEqual(totals);
        const isAtEnd = last?.of.some(({ timestamp, discarded }) => timestamp === NOON && !discarded) ?? false;
        expect(shown(2)).toEqual(isAtEnd ? totals : []);
      }),
      runs(0.25),
    ));

  it('in the list: superseded are the events that a marker discards', () =>
    compared(async (of, contractId) => {
      const { rows } = await readPage<ListedUsage>(db, usageList(contractId, {}), { from: 'head' }, 100);
      const superseded = rows.filter((row) => row.superseded && row.discarded_at === null).map(({ id }) => id);
      expect(superseded.sort()).toEqual(
        ruled(of)
          .flatMap(({ ignored }) => ignored)
          .sort(),
      );
    }));
});
