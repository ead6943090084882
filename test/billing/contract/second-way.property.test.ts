import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { at, DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { Line, TaxContext } from '../../../billing/invoice/types.ts';
import type { Price, Tier } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import {
  type Amounts,
  givenBack,
  type Item,
  cents as inCents,
  type Levy,
  linesOf,
  type Off,
  type PartStart,
  shareOf,
  shownMoney,
  usageAmountOf,
} from '../../support-billing/second-way.ts';
import { signs } from '../../support-billing/story.ts';

// A contract signed, lived on and changed, with every line worked out from dates, prices and texts of the rules alone.

type Cycle = 'week' | 'month' | 'quarter' | 'year';
const LENGTH: Record<Cycle, Temporal.DurationLike> = {
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
};

function later(from: Instant, cycle: Cycle, n: number): Instant {
  const { weeks = 0, months = 0, years = 0 } = LENGTH[cycle] as { weeks?: number; months?: number; years?: number };
  const moved = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO('UTC')
    .add({ weeks: weeks * n, months: months * n, years: years * n });
  return moved.epochMilliseconds;
}

function naturalStart(t: Instant, cycle: Cycle): Instant {
  const date = Temporal.Instant.fromEpochMilliseconds(t).toZonedDateTimeISO('UTC').toPlainDate();
  const month = cycle === 'year' ? 1 : cycle === 'quarter' ? Math.floor((date.month - 1) / 3) * 3 + 1 : date.month;
  const first = cycle === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ month, day: 1 });
  return first.toZonedDateTime('UTC').epochMilliseconds;
}

interface Span {
  start: Instant;
  end: Instant;
  /** length of the whole natural period */
  whole: number;
}

/** The first periods of a contract, by counting on. */
function spansOf(start: Instant, cycle: Cycle, offset: number | null, count: number): Span[] {
  const aligned = (n: number): Instant => {
    const natural = naturalStart(later(naturalStart(start, cycle), cycle, n), cycle);
    return Math.min(natural + (offset ?? 0) * DAY, offset === 0 ? natural : later(natural, cycle, 1) - DAY);
  };
  const bounds =
    offset === null
      ? Array.from({ length: count + 1 }, (_, n) => later(start, cycle, n))
      : [start, ...Array.from({ length: count + 3 }, (_, n) => aligned(n - 1)).filter((one) => one > start)];
  const before = offset === null ? start : Math.max(...[aligned(-1), aligned(0), aligned(1)].filter((one) => one <= start));
  return Array.from({ length: count }, (_, n) => {
    const [from = 0, end = 0] = bounds.slice(n, n + 2);
    return { start: from, end, whole: end - (n === 0 ? before : from) };
  });
}

const cents = fc.integer({ min: 0, max: 50_000 }).map((n) => (n / 100).toFixed(2));
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of);
const tiers = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.array(fc.tuple(cents, orNull(cents)), { minLength: 2, maxLength: 2 }))
  .map(([end, prices]): Tier[] =>
    prices.map(([unitPrice, flatFee], index) => ({ upTo: index === 0 ? String(end) : null, unitPrice, flatFee })),
  );
const mode = fc.constantFrom('graduated' as const, 'volume' as const);
const limits = { unitName: 'unit', batchSize: null, maximumUnits: null };

interface Calls {
  seat: string;
  calls: Tier[];
  callsMode: 'graduated' | 'volume';
  minimum: number;
  callsFee: string | null;
  callsBatch: number | null;
  metered: { maximum: number | null; over: string | null; strategy: 'extra_usage_overcharge' | 'all_usage_overcharge' } | null;
}

function callsOf({ seat, calls, callsMode, minimum, callsFee, callsBatch, metered }: Calls): Price {
  const common = { unitName: 'call', batchSize: callsBatch, minimumUnits: String(minimum), flatFee: callsFee };
  if (metered === null) return price('0', { ...common, kind: 'usage_tiered', maximumUnits: null, tierMode: callsMode, tiers: calls });
  return price(seat, {
    ...common,
    kind: 'usage',
    maximumUnits: metered.maximum === null ? null : String(metered.maximum),
    overUsagePrice: metered.over,
    overUsageChargeStrategy: metered.strategy,
  });
}

const prices: fc.Arbitrary<Record<'plan' | 'seats' | 'disk' | 'calls', Price>> = fc
  .record({
    flat: cents,
    seat: cents,
    fee: cents,
    disk: tiers,
    diskMode: mode,
    calls: tiers,
    callsMode: mode,
    minimum: fc.nat(30),
    callsFee: orNull(cents),
    callsBatch: orNull(fc.integer({ min: 1, max: 9 })),
    metered: orNull(
      fc.record({
        maximum: orNull(fc.integer({ min: 30, max: 60 })),
        over: orNull(cents),
        strategy: fc.constantFrom('extra_usage_overcharge' as const, 'all_usage_overcharge' as const),
      }),
    ),
  })
  .map((one) => ({
    plan: price(one.flat),
    seats: seats(one.seat, '3', { flatFee: one.fee }),
    disk: price('0', {
      ...limits,
      kind: 'unit_tiered',
      unitCount: '12',
      minimumUnits: '0',
      flatFee: null,
      tierMode: one.diskMode,
      tiers: one.disk,
    }),
    calls: callsOf(one),
  }));

const snapshot = fc.record({
  cycle: fc.constantFrom<Cycle>('week', 'month', 'quarter', 'year'),
  start: fc.oneof(
    fc.integer({ min: at('2023-01-01') / DAY, max: at('2029-01-01') / DAY }).map((days) => days * DAY),
    fc.integer({ min: at('2023-01-01'), max: at('2029-01-01') }),
  ),
  offset: orNull(fc.nat(6)),
  period: fc.nat(2),
  moment: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  old: prices,
  fresh: prices,
  used: fc.nat(60).map(String),
  usedAfter: fc.nat(60).map(String),
  keepsCalls: fc.boolean(),
  rate: fc.option(fc.constantFrom('0.19', '0.0825', '0.05')),
  included: fc.boolean(),
  off: orNull(
    fc.record({
      type: fc.constantFrom('percentage' as const, 'flat' as const),
      amount: fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2)),
      duration: fc.integer({ min: 1, max: 4 }),
    }),
  ),
});

const RECURRING = ['plan', 'seats', 'disk'] as const;
const UNITS = { plan: '1', seats: '3', disk: '12' };
const sourceOf = (name: string): string => (name === 'plan' ? name : `feature:${name}`);
const shown = (
  kind: string,
  name: string,
  { subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax }: Amounts,
): string => [kind, name, subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax].join(' ');

function offerOf(slug: string, { plan: own, ...features }: Record<'plan' | 'seats' | 'disk' | 'calls', Price>, cycle: Cycle): Offer {
  return planOffer(slug, { cycle, price: own, features });
}

test('every line of a contract that is signed, aligned, discounted, taxed, lived on and changed is what the rules come to a second way', () => {
  fc.assert(
    fc.property(
      snapshot,
      ({ cycle, start, offset, period, moment, old, fresh: other, used, usedAfter, keepsCalls, rate, included, off }) => {
        const fresh = keepsCalls ? { ...other, calls: old.calls } : other;
        const spans = spansOf(start, cycle, offset, period + 2);
        const { start: begin, end, whole } = spans[period] ?? { start: 0, end: 0, whole: 1 };
        const change = Math.min(end - 1, Math.max(begin + 1, Math.round(begin + (end - begin) * moment)));
        const levy: Levy = { included, rate };
        const expected = expectedLines({
          spans,
          period,
          change,
          old,
          fresh,
          used,
          usedAfter,
          levy,
          off,
          part: (of: number) => shareOf(of, whole),
        });

        const tax: TaxContext = {
          ...NO_TAX,
          policy: included ? 'tax_included' : 'tax_excluded',
          rates: rate === null ? [] : [{ taxCode: null, country: null, state: null, rate }],
        };
        const discount = off && {
          ...off,
          currency: off.type === 'flat' ? ('usd' as const) : null,
          originalDiscountId: null,
          slug: 'o',
          name: 'Off',
        };
        const story = signs(iso(start), offerOf('old', old, cycle), { offset, tax, discount });
        story.advance(iso(begin));
        story.uses(iso(begin), 'calls', used);
        changes(story, iso(change), changeToPlan(offerOf('fresh', fresh, cycle), { downgradeAllowed: true }));
        story.uses(iso(Math.min(change + 1, end - 1)), 'calls', usedAfter);
        story.advance(iso(end));
        const lines: Line[] = [...story.ledger.lines.values()].filter(({ kind }) => kind !== 'wallet');
        expect(lines.map((line) => shown(line.kind, line.source, line)).sort()).toEqual(expected.sort());
      },
    ),
    runs(),
  );
});

interface Telling {
  spans: Span[];
  period: number;
  change: Instant;
  old: Record<'plan' | 'seats' | 'disk' | 'calls', Price>;
  fresh: Record<'plan' | 'seats' | 'disk' | 'calls', Price>;
  used: string;
  usedAfter: string;
  levy: Levy;
  off: (Off & { duration: number }) | null;
  part: (length: number) => Item['part'];
}

/** Prices that charge usage alike, as the catalogue has them. */
const alike = (a: Price, b: Price): boolean => essence(a) === essence(b);
const essence = ({ amount, strategy }: Price): string =>
  JSON.stringify([amount, strategy], (key, value) => (key === 'flatFee' ? (value ?? '0.00') : value));

function expectedLines({ spans, period, change, old, fresh, used, usedAfter, levy, off, part }: Telling): string[] {
  const recurring = (sold: Telling['old'], share: Item['part'], n: number): Amounts[] => {
    const items = RECURRING.map((name): Item => ({ sold: sold[name], units: UNITS[name], part: share, discountable: true, free: false }));
    return linesOf(items, off !== null && n < off.duration ? off : null, levy);
  };
  const charges = (lines: Amounts[]): string[] => lines.map((line, index) => shown('recurring', sourceOf(RECURRING[index] ?? ''), line));
  const calls = (sold: Telling['old'], units: string, share: Item['part'], start: PartStart | null = null): string[] =>
    linesOf([{ sold: sold.calls, units, part: share, discountable: false, free: false, start }], null, levy).map((line) =>
      shown('usage', 'feature:calls', line),
    );
  /** The period of the change: one sum at one price, else what follows begins at the count so far. */
  const across = (): string[] => {
    const { start, end, whole } = spans[period] ?? { start: 0, end: 0, whole: 1 };
    if (alike(old.calls, fresh.calls)) return calls(fresh, String(Number(used) + Number(usedAfter)), shareOf(end - start, whole));
    const { tierFees } = usageAmountOf(old.calls, used, part(change - start), null);
    const began = { units: used, tierFees: shownMoney(inCents(tierFees)) };
    return [...calls(old, used, part(change - start)), ...calls(fresh, usedAfter, part(end - change), began)];
  };

  const wholes = spans.map(({ start, end, whole }) => shareOf(end - start, whole));
  const lived = wholes.slice(0, period + 1).map((share, n) => recurring(old, share, n));
  const { start: begin, end } = spans[period] ?? { start: 0, end: 0 };
  const credits = (lived.at(-1) ?? []).map(
    (line, index) => [RECURRING[index] ?? '', givenBack(line, shareOf(end - change, end - begin), levy)] as const,
  );
  /** What goes on at the same price is charged what was given back of it; a flat discount is spread again. */
  const goesOn = (index: number): Amounts | null => {
    const [name, line] = credits[index] ?? [];
    if (name === undefined || line === undefined || off?.type === 'flat') return null;
    const same = JSON.stringify(old[name as keyof Telling['old']]) === JSON.stringify(fresh[name as keyof Telling['old']]);
    const positive = Object.entries(line).map(([field, amount]) => [field, amount.replace(/^-/, '')]);
    return same ? (Object.fromEntries(positive) as unknown as Amounts) : null;
  };
  return [
    ...lived.flatMap(charges),
    ...wholes.slice(0, period).flatMap((share) => calls(old, '0', share)),
    ...across(),
    ...credits.filter(([, line]) => line.totalIncludingTax !== '0.00').map(([name, line]) => shown('credit', sourceOf(name), line)),
    ...charges(recurring(fresh, part(end - change), period).map((line, index) => goesOn(index) ?? line)),
    ...charges(recurring(fresh, wholes[period + 1] ?? part(1), period + 1)),
  ];
}
