import fc from 'fast-check';
import { DAY, HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { type Pause, runningTime } from '../../billing/calendar/pauses.ts';
import { movedSpan } from '../../billing/contract/period/time.ts';
import { movedLine, recognisedMonths } from '../../db/sql/figure/recognised.ts';
import { withTestDatabase } from '../support/database.ts';
import { runs } from '../support/runs.ts';

/** A charged line whose customer was frozen, and what is earned of it. */
interface Frozen {
  kind: 'recurring' | 'custom';
  span: { start: Instant; end: Instant };
  setAt: Instant | null;
  pauses: { from: Instant; to: Instant }[];
  net: number;
}

const BEGIN = Date.UTC(2025, 0, 1);
// whole days and hours as often as any millisecond, since that is where they meet
const length = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((days) => days * DAY),
  fc.integer({ min: 0, max: 200 }).map((hours) => hours * HOUR),
  fc.integer({ min: 0, max: 40 * DAY }),
);
const pauses = fc.array(fc.tuple(length, length), { maxLength: 5 }).map((gaps) => {
  let clock = BEGIN;
  return gaps.map(([gap, frozen]) => {
    const from = clock + gap + 1;
    clock = from + frozen + 1;
    return { from, to: clock };
  });
});
const line: fc.Arbitrary<Frozen> = fc
  .record({
    kind: fc.constantFrom('recurring' as const, 'custom' as const),
    starts: length,
    lasts: length,
    ahead: fc.option(length),
    pauses,
    net: fc.integer({ min: -100_000, max: 100_000 }),
  })
  .chain(({ starts, lasts, ahead, ...rest }) => {
    const edges = rest.pauses.flatMap(({ from, to }) => [from, to]);
    const start = fc.constantFrom(BEGIN + starts, ...edges);
    return start.map((at) => ({ ...rest, span: { start: at, end: at + lasts + 1 }, setAt: ahead === null ? null : at - ahead }));
  });

const FREEZES = `select (p ->> 'from')::timestamptz as began, (p ->> 'to')::timestamptz as ended from jsonb_array_elements(l.pauses) p`;
const MOVED = `select l.id as vendor_id, '' as clock_id, 'usd' as currency, l.span_start as at, l.net, moved.*
  from json_to_recordset($1::json) as l(id int, kind text, span_start timestamptz(3), span_end timestamptz(3), created timestamptz(3),
    derivation jsonb, pauses jsonb, net numeric)
  cross join (select null::jsonb as pause_rules) c
  cross join lateral (${movedLine(FREEZES)}) moved`;

const text = (instant: Instant): string => new Date(instant).toISOString();
const rowOf = ({ kind, span, setAt, pauses: own, net }: Frozen, id: number) => ({
  ...{ id, kind, span_start: text(span.start), span_end: text(span.end), created: text(setAt ?? span.start) },
  derivation: setAt === null ? {} : { setAt },
  pauses: own.map(({ from, to }) => ({ from: text(from), to: text(to) })),
  net: (net / 100).toFixed(2),
});

const movedOf = ({ span, setAt, pauses: own }: Frozen) => movedSpan({ span, derivation: (setAt === null ? {} : { setAt }) as never }, own);

/** What is earned in each month, in cents: up to its end a share of running time, rounded once, half away from zero. */
function monthsOf(frozen: Frozen): [string, number][] {
  const { start, end } = movedOf(frozen) as Frozen['span'];
  const since: Pause[] = frozen.pauses.filter(({ from }) => from >= (frozen.setAt ?? frozen.span.start));
  const whole = BigInt(runningTime(start, end, since));
  const earned = (until: Instant): number => {
    const part = BigInt(runningTime(start, Math.min(until, end), since));
    const cents = (2n * BigInt(Math.abs(frozen.net)) * part + whole) / (2n * whole);
    return Math.sign(frozen.net) * Number(cents);
  };
  const months: [string, number][] = [];
  const first = new Date(start);
  for (let month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 1); month < end; ) {
    const date = new Date(month);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    const amount = earned(next) - earned(Math.max(month, start));
    if (amount !== 0) months.push([text(month).slice(0, 7), amount]);
    month = next;
  }
  return months;
}

test('what freezes make of a line’s span is in Postgres what it is in billing/, and so are the months in which it is earned', async () => {
  await withTestDatabase((db) =>
    fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 50, maxLength: 200 }), async (lines) => {
        const rows = [JSON.stringify(lines.map(rowOf))];
        const spans = await db.query<{ start: Instant; end: Instant }>(
          `select span_start as start, span_end as end from (${MOVED}) x order by vendor_id`,
          rows,
        );
        expect(spans).toEqual(lines.map(movedOf));
        const months = await db.query<{ id: number; month: string; amount: number }>(
          `select vendor_id as id, to_char(month at time zone 'UTC', 'YYYY-MM') as month, (amount * 100)::int as amount
           from (${recognisedMonths(MOVED, { isFrozen: true })}) x order by 1, 2`,
          rows,
        );
        const byLine = Map.groupBy(months, ({ id }) => id);
        const seen = lines.map((_, id) => (byLine.get(id) ?? []).map(({ month, amount }) => [month, amount]));
        expect(seen).toEqual(lines.map(monthsOf));
      }),
      runs(0.1),
    ),
  );
});
