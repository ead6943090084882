import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { knownEnd } from '../../../billing/contract/period/known-end.ts';
import type { ChangeRule, Proration } from '../../../billing/contract/terms/change-rules.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { TaxContext } from '../../../billing/invoice/types.ts';
import { type Decimal, dec, sum, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// A cancellation that is set, moved and taken back costs nothing and saves nothing, whatever changes come between. All
// prices are whole amounts a day and all instants are midnights, so that only parts of a difference are rounded.

const START = at('2025-06-01');
/** The last day of a life in which every end that is known lies later. */
const LAST = 20;
/** The last day of a life in which each end is taken back the day before it comes. */
const LAST_OF_LONG = 55;

type Deed = { day: number } & (
  | { type: 'plan'; offer: Offer; proration: Proration; collect: ChangeRule['collect'] }
  | { type: 'seats'; count: string; proration: Proration; collect: ChangeRule['collect'] }
  /** null: for the end of the cycle, which a change of the cycle puts off */
  | { type: 'cancel'; until: number | null }
  | { type: 'undo' }
  | { type: 'freeze' }
);

const daily = (days: number) => fc.nat(20).map((amount) => String(amount * days));
const offer = (cycle: 'month' | 'year' | 'constant'): fc.Arbitrary<Offer> => {
  const days = cycle === 'month' ? 30 : 365;
  return fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      own: daily(days),
      seat: daily(days),
      extra: fc.option(daily(days)),
      month: fc.option(daily(30)),
      year: fc.option(daily(365)),
      free: fc.constantFrom(0, 0, 0, 1),
    })
    .map(({ name, own, seat, extra, month, year, free }) =>
      planOffer(`${name}${cycle}`, {
        cycle,
        price: price(own, { kind: 'flat' }, free),
        features: {
          seats: seats(seat, '2'),
          ...(extra === null ? {} : { extra: price(extra) }),
          ...(month === null ? {} : { care: ['month' as const, price(month)] }),
          ...(year === null ? {} : { support: ['year' as const, price(year)] }),
        },
      }),
    );
};
const anyOffer = fc.constantFrom('month' as const, 'month' as const, 'month' as const, 'year' as const).chain(offer);
const offerWithin = fc.constantFrom('constant' as const, 'constant' as const, 'month' as const).chain(offer);
const collect = fc.constantFrom<ChangeRule['collect']>('now', 'now', 'next_invoice');
const proration = fc.constantFrom<Proration>('time', 'time', 'difference', 'none');
const day = fc.integer({ min: 0, max: LAST });
const later = fc.integer({ min: LAST + 1, max: 75 });
const deedOf = (offers: fc.Arbitrary<Offer>, until: fc.Arbitrary<number | null>): fc.Arbitrary<Deed> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ day, type: fc.constant('plan' as const), offer: offers, proration, collect }) },
    {
      weight: 2,
      arbitrary: fc.record({
        day,
        type: fc.constant('seats' as const),
        count: fc.integer({ min: 1, max: 5 }).map(String),
        proration,
        collect,
      }),
    },
    { weight: 4, arbitrary: fc.record({ day, type: fc.constant('cancel' as const), until }) },
    { weight: 1, arbitrary: fc.record({ day, type: fc.constant('undo' as const) }) },
    { weight: 1, arbitrary: fc.record({ day, type: fc.constant('freeze' as const) }) },
  );
const deed = deedOf(anyOffer, fc.option(later, { freq: 4 }));
const words = fc.record<SignWords>({
  tax: fc.constantFrom<TaxContext>(NO_TAX, { ...NO_TAX, policy: 'tax_excluded' }),
  discount: fc.option(
    fc.constant({ type: 'percentage', amount: '50', currency: null, duration: 3, originalDiscountId: null, slug: 'd', name: 'D' } as const),
  ),
});

function act(story: Story, one: Deed, now: number, hasCancellation: boolean): number {
  const date = iso(now);
  switch (one.type) {
    case 'freeze':
      freeze(story, now);
      unfreeze(story, now + 2 * DAY);
      return 2 * DAY;
    case 'cancel': {
      const moved = now - START - one.day * DAY;
      const when =
        one.until === null ? { type: 'end_of_cycle' as const } : { type: 'date' as const, date: START + one.until * DAY + moved };
      if (hasCancellation)
        story.does(date, (snapshot, instant, newId) => planCancellation(snapshot, { when, credit: false, notes: null }, instant, newId));
      return 0;
    }
    case 'undo':
      if (hasCancellation && story.contract().cancellation !== null) story.does(date, planCancelUndo);
      return 0;
    default: {
      const rule: ChangeRule = { when: 'now', proration: one.proration, collect: one.collect, credit: 'wallet' };
      const changeRules = { contract: { upgrade: rule, downgrade: rule, units_up: rule, units_down: rule } };
      story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules });
      try {
        changes(story, date, one.type === 'plan' ? changeToPlan(one.offer) : toUnits({ seats: one.count }));
      } catch (error) {
        expect(error).toMatchObject({ code: 'nothing_to_change' });
      }
      return 0;
    }
  }
}

/** A life to its last day, where a cancellation that still waits is taken back. */
function lived(first: Offer, deeds: readonly Deed[], more: SignWords, hasCancellation: boolean): Story {
  const story = signs(iso(START), first, more);
  let frozen = 0;
  for (const one of deeds) frozen += act(story, one, START + one.day * DAY + frozen, hasCancellation);
  const last = START + LAST * DAY + frozen;
  act(story, { day: LAST, type: 'undo' }, last, hasCancellation);
  return story;
}

/** What has been charged for a source, less what was given back. */
function paid({ ledger }: Story, source: string): { amount: Decimal; lines: number } {
  const lines = [...ledger.lines.values()].filter((line) => line.source === source && line.kind !== 'wallet');
  for (const { amounts, recomputed } of lines.map(explainLine)) expect(recomputed).toEqual(amounts);
  return { amount: sum(lines.map((line) => dec(line.totalIncludingTax))), lines: lines.length };
}

const SOURCES = ['plan', 'feature:seats', 'feature:extra', 'feature:care', 'feature:support'];

/** To the cent: a difference has no whole amount a day, so that each part of one may be rounded. */
function costTheSame(one: Story, other: Story): void {
  for (const source of SOURCES) {
    const [mine, others] = [paid(one, source), paid(other, source)];
    const apart = mine.amount.minus(others.amount).abs();
    expect({ source, apart: apart.lte(dec('0.01').times(mine.lines + others.lines)) ? 'by roundings' : text(apart) }).toEqual({
      source,
      apart: 'by roundings',
    });
  }
}

/** Two lives, one without the cancellations; then both change to the same plan and go on. */
function costNothing(first: Offer, drawn: readonly Deed[], more: SignWords): void {
  const deeds = drawn.toSorted((a, b) => a.day - b.day);
  const [canceled, never] = [true, false].map((hasCancellation) => lived(first, deeds, more, hasCancellation));
  if (canceled === undefined || never === undefined) throw new Error('two lives');
  costTheSame(canceled, never);
  const change: Deed = {
    day: LAST,
    type: 'plan',
    offer: planOffer('last', { price: '3000', features: { seats: seats('30', '1') } }),
    proration: 'time',
    collect: 'now',
  };
  for (const story of [canceled, never]) {
    const now = START + LAST * DAY + story.ledger.pauses.length * 2 * DAY;
    act(story, change, now, true);
    story.advance(iso(now + 60 * DAY));
  }
  costTheSame(canceled, never);
}

test('a cancellation that is taken back moves no money, whatever was changed by time, difference or none while it waited', () => {
  fc.assert(fc.property(anyOffer, fc.array(deed, { minLength: 3, maxLength: 9 }), words, costNothing), runs());
});

test('nor with one price for the whole span to an expiration, by the month between', () => {
  const deeds = fc.array(deedOf(offerWithin, later), { minLength: 3, maxLength: 9 });
  fc.assert(
    fc.property(offerWithin, deeds, words, (first, drawn, more) => costNothing(first, drawn, { ...more, expiration: '2026-06-01' })),
    runs(),
  );
});

/** The same for a longer life, in which what was cut at an end may have passed. */
function livedLong(first: Offer, deeds: readonly Deed[], more: SignWords, hasCancellation: boolean): Story {
  const story = signs(iso(START), first, more);
  const undoBefore = (day: number): void => {
    const end = knownEnd(story.contract(), story.ledger.pauses);
    if (end !== null && end <= START + day * DAY) act(story, { day, type: 'undo' }, end - DAY, hasCancellation);
  };
  for (const one of deeds) {
    undoBefore(one.day);
    if (one.type !== 'cancel' || one.until === null || one.until > one.day + 1) act(story, one, START + one.day * DAY, hasCancellation);
  }
  undoBefore(LAST_OF_LONG);
  act(story, { day: LAST_OF_LONG, type: 'undo' }, START + LAST_OF_LONG * DAY, hasCancellation);
  return story;
}

test('nor does one of a longer life, in which lines that were cut have ended', () => {
  const day = fc.integer({ min: 0, max: LAST_OF_LONG });
  const one = fc
    .tuple(deed, day, fc.integer({ min: 2, max: 75 }))
    .map(([drawn, day, until]): Deed => ({ ...drawn, day, ...(drawn.type === 'cancel' && drawn.until !== null ? { until } : {}) }));
  fc.assert(
    fc.property(anyOffer, fc.array(one, { minLength: 3, maxLength: 9 }), words, (first, drawn, more) => {
      const deeds = drawn.filter(({ type }) => type !== 'freeze').toSorted((a, b) => a.day - b.day);
      const [canceled, never] = [true, false].map((hasCancellation) => livedLong(first, deeds, more, hasCancellation));
      if (canceled === undefined || never === undefined) throw new Error('two lives');
      for (const story of [canceled, never]) story.advance(iso(START + LAST_OF_LONG * DAY));
      costTheSame(canceled, never);
    }),
    runs(),
  );
});
