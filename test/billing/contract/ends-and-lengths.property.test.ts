import fc from 'fast-check';
import { at, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { dec, sum, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { spansOf } from '../../support-billing/second-calendar.ts';
import {
  type Amounts,
  asCycles,
  coveredIn,
  cyclesLeft,
  givenBack,
  type Item,
  linesOf,
  num,
  type Off,
  offIn,
  type Share,
  shareOf,
} from '../../support-billing/second-way.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// Changes before a known end, and changes of the cycle's length, with every line worked out from dates, prices and the
// texts of the rules alone.

const LEVY = { included: true, rate: null };
const cycle = fc.constantFrom('week' as const, 'month' as const, 'quarter' as const, 'year' as const);
const thousandths = fc.integer({ min: 0, max: 400_000 }).map((n) => (n / 1000).toFixed(3));
const sold = fc.record({ own: thousandths, seat: thousandths });
const moment = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const start = fc.integer({ min: at('2023-01-01'), max: at('2027-12-31') });
const discount = fc.option(
  fc.oneof(
    fc.record({ type: fc.constant('percentage'), amount: fc.integer({ min: 1, max: 100 }).map(String) }),
    fc.record({ type: fc.constant('flat'), amount: fc.integer({ min: 1, max: 9_999 }).map((n) => (n / 100).toFixed(2)) }),
  ),
);

type Sold = { own: string; seat: string };
const offer = (slug: string, one: Sold, length: 'week' | 'month' | 'quarter' | 'year') =>
  planOffer(slug, { cycle: length, price: one.own, features: { seats: seats(one.seat, '3') } });
const items = ({ own, seat }: Sold, part: Share, freeShare?: Share): Item[] =>
  [price(own), seats(seat, '3')].map((priced) => ({
    sold: priced,
    units: '3',
    part,
    discountable: true,
    free: false,
    ...(freeShare ? { freeShare } : {}),
  }));

const shown = (kind: string, source: string, { subtotal, totalIncludingTax }: Amounts | Line): string =>
  [kind, source, subtotal, totalIncludingTax].join(' ');
const SOURCES = ['plan', 'feature:seats'];
const charged = (lines: Amounts[]): string[] => lines.map((line, index) => shown('recurring', SOURCES[index] ?? '', line));
const returned = (lines: Amounts[]): string[] =>
  lines
    .filter((line) => line.totalIncludingTax !== '0.00')
    .map((line) => shown('credit', line === lines[0] ? 'plan' : 'feature:seats', line));
const less = (line: Amounts, before: Amounts | undefined): Amounts => {
  const rest = (field: keyof Amounts): string =>
    dec(line[field])
      .minus(before?.[field] ?? '0')
      .toFixed(2);
  return { ...line, subtotal: rest('subtotal'), totalIncludingTax: rest('totalIncludingTax') };
};
const opposite = (line: Amounts): Amounts =>
  Object.fromEntries(Object.entries(line).map(([field, amount]) => [field, amount.replace(/^-/, '')])) as unknown as Amounts;
const written = (story: Story, from: number): string[] =>
  [...story.ledger.lines.values()]
    .slice(from)
    .filter(({ kind }) => kind !== 'wallet')
    .map((line) => shown(line.kind, line.source, line))
    .sort();

test('a change before an expiration or a dated cancellation is charged to it, and what is cut off when that is taken back', () => {
  fc.assert(
    fc.property(
      fc.record({ start, cycle, old: sold, fresh: sold, moments: fc.tuple(moment, moment, moment), isCancellation: fc.boolean() }),
      ({ start: begin, cycle: length, old, fresh, moments, isCancellation }) => {
        const [span] = spansOf(begin, length, null, 1);
        if (span === undefined) throw new Error('no span');
        const [first = 0, second = 0, third = 0] = [...moments].sort().map((one) => Math.round(span.start + (span.end - span.start) * one));
        const [change, undone, end] = [first, second, Math.min(span.end - 1, third + 2)];
        if (change >= undone || undone >= end) return;
        const part = (from: number, to: number): Share => shareOf(to - from, span.whole);
        const story = signs(iso(begin), offer('old', old, length), isCancellation ? {} : { expiration: iso(end) });
        const cancel = { when: { type: 'date' as const, date: end }, credit: false, notes: null };
        if (isCancellation) story.does(iso(begin), (snapshot, now, newId) => planCancellation(snapshot, cancel, now, newId));
        const paid = linesOf(items(old, shareOf(1, 1)), null, LEVY);
        try {
          changes(story, iso(change), changeToPlan(offer('fresh', fresh, length), { downgradeAllowed: true }));
        } catch (error) {
          expect(error).toMatchObject({ code: 'nothing_to_change' });
          return;
        }
        const back = paid.map((line) => givenBack(line, part(change, end), LEVY));
        // what goes on at the same price is charged what was given back of it
        const goesOn = [old.own === fresh.own, old.seat === fresh.seat];
        const linesAgain = linesOf(items(fresh, part(change, end)), null, LEVY);
        const charges = linesAgain.map((line, index) => (goesOn[index] ? opposite(back[index] ?? line) : line));
        expect(written(story, 2)).toEqual([...returned(back), ...charged(charges)].sort());
        if (!isCancellation) return;
        const before = story.ledger.lines.size;
        story.does(iso(undone), planCancelUndo);
        const tail = written(story, before).filter((line) => line.startsWith('recurring'));
        // in two parts as much is charged as at once
        const inOne = linesOf(items(fresh, part(change, span.end)), null, LEVY);
        expect(tail).toEqual(charged(inOne.map((line, index) => less(line, linesAgain[index]))).sort());
        // as much was given back as at once, to the cent if both parts came to something; never more than was charged
        const all = [...story.ledger.lines.values()];
        for (const line of all.slice(0, 2)) {
          const back = sum(all.filter(({ creditOf }) => creditOf === line.id).map((one) => dec(one.totalIncludingTax)));
          const whole = dec(line.totalIncludingTax)
            .times(span.end - change)
            .div(span.whole);
          expect(back.plus(whole).abs().lte('0.011')).toBe(true);
          const parts = all.filter(({ creditOf }) => creditOf === line.id).length;
          const atOnce = givenBack(line, part(change, span.end), LEVY).totalIncludingTax;
          if (parts === 2) expect(back.toFixed(2)).toBe(atOnce);
          expect(back.neg().lte(line.totalIncludingTax)).toBe(true);
        }
        for (const { amounts, recomputed } of all.map(explainLine)) expect(recomputed).toEqual(amounts);
      },
    ),
    runs(),
  );
});

test('a change of cycle before an expiration is charged to it by the new cycle, and so are minimum and fee of usage', () => {
  const owed = fc.record({ flatFee: thousandths, minimum: fc.nat(900).map(String) });
  fc.assert(
    fc.property(
      fc.record({ start, from: cycle, to: cycle, old: sold, fresh: sold, isSame: fc.boolean(), owed, moments: fc.tuple(moment, moment) }),
      ({ start: begin, from, to, old, fresh: other, isSame, owed: least, moments }) => {
        if (from === to) return;
        const fresh = isSame ? old : other;
        const within = ({ start: first, end }: { start: number; end: number }, part: number): number =>
          Math.round(first + (end - first) * part);
        const [span] = spansOf(begin, from, null, 1);
        const change = span && within(span, moments[0]);
        const [ahead] = spansOf(change ?? begin, to, null, 1);
        if (span === undefined || change === undefined || ahead === undefined) throw new Error('no span');
        const end = within(ahead, moments[1]);
        const calls = usagePrice('1', least);
        const metered = (slug: string, one: Sold, length: typeof from) =>
          planOffer(slug, { cycle: length, price: one.own, features: { seats: seats(one.seat, '3'), calls } });
        const story = signs(iso(begin), metered('old', old, from), { expiration: iso(end) });
        changes(story, iso(change), changeToPlan(metered('fresh', fresh, to), { downgradeAllowed: true }));
        story.advance(iso(end));

        const paid = linesOf(items(old, shareOf(1, 1)), null, LEVY);
        const back = paid.map((line) => givenBack(line, shareOf(Math.min(end, span.end) - change, span.whole), LEVY));
        const part = shareOf(end - change, ahead.whole);
        const usage = [shareOf(change - begin, span.whole), part].flatMap((share) =>
          linesOf([{ sold: calls, units: '0', part: share, discountable: false, free: false }], null, LEVY),
        );
        const shownUsage = usage.map((line) => shown('usage', 'feature:calls', line));
        expect(written(story, 2)).toEqual([...returned(back), ...charged(linesOf(items(fresh, part), null, LEVY)), ...shownUsage].sort());
        for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
      },
    ),
    runs(),
  );
});

test('free and discount cycles that are left go over as time when the cycle’s length changes', () => {
  fc.assert(
    fc.property(
      fc.record({
        start,
        from: cycle,
        to: cycle,
        old: sold,
        fresh: sold,
        free: fc.nat(4),
        off: discount,
        lasts: fc.integer({ min: 1, max: 4 }),
        n: fc.integer({ min: 1, max: 3 }),
        moment,
      }),
      ({ start: begin, from, to, old, fresh, free, off, lasts, n, moment: when }) => {
        if (from === to) return;
        const span = spansOf(begin, from, null, n).at(-1);
        if (span === undefined) throw new Error('no span');
        const change = Math.round(span.start + (span.end - span.start) * when);
        const given = off && {
          ...off,
          type: off.type as 'flat' | 'percentage',
          currency: off.type === 'flat' ? ('usd' as const) : null,
          duration: lasts,
          originalDiscountId: null,
          slug: 'off',
          name: 'Off',
        };
        const story = signs(iso(begin), offer('old', old, from), { freeCycles: free, discount: given });
        story.advance(iso(change));
        changes(story, iso(change), changeToPlan(offer('fresh', fresh, to), { downgradeAllowed: true }));
        const ahead = spansOf(change, to, null, 4);
        story.advance(iso(ahead[2]?.end ?? change));

        const unused = shareOf(span.end - change, span.whole);
        const freeLeft = asCycles(cyclesLeft(free, n, unused), from, to);
        const offLeft = asCycles(cyclesLeft(lasts, n, unused), from, to);
        const expected = [1, 2, 3, 4].map((k) => {
          const isOff: Off | null = off && offIn(off, offLeft, asValue(off, from, to), k);
          return linesOf(items(fresh, shareOf(1, 1), coveredIn(freeLeft, k)).map(isFreeAll), isOff, LEVY);
        });
        const real = [...story.ledger.lines.values()].filter(({ contractId, kind }) => contractId === story.id() && kind === 'recurring');
        expect(real.map((line) => shown(line.kind, line.source, line))).toEqual(expected.flatMap(charged));
        for (const { amounts, recomputed } of real.map(explainLine)) expect(recomputed).toEqual(amounts);
        if (off?.type === 'flat') {
          const carried = sum(real.map(({ discountAmount }) => dec(discountAmount)));
          expect(carried.lte(text(dec(off.amount).times(lasts)))).toBe(true);
        }
      },
    ),
    runs(),
  );
});

/** A flat discount's value for a whole cycle of the new length. */
function asValue(off: Off, from: string, to: string): Share {
  return off.type === 'flat' ? asCycles(num(off.amount), to, from) : [0n, 1n];
}

function isFreeAll(item: Item): Item {
  const [part, whole] = item.freeShare ?? [0n, 1n];
  return part === whole ? { ...item, free: true } : item;
}
