import fc from 'fast-check';
import { at, DAY, HOUR, iso } from '../../../billing/calendar/instant.ts';
import { searchNextInvoices } from '../../../billing/contract/estimate/next-invoice.ts';
import type { GivenPauseRules, InFreeze } from '../../../billing/contract/period/pause-rules.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { finished, shownOf, snapshotAhead, writtenSince } from '../../support-billing/chain-ahead.ts';
import { countingIds } from '../../support-billing/ledger.ts';
import { type Frozen, type SecondCycle, spansOf } from '../../support-billing/second-calendar.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// A contract with a trial, a discount and an expiration, frozen several times: its invoices, its end and the reminder
// of its trial's end are worked out from the texts of the pause rules and dates alone.

interface Plot {
  start: number;
  cycle: Extract<SecondCycle, 'week' | 'month' | 'quarter'>;
  trialDays: number;
  duration: number;
  /** hours from the signing to the expiration */
  lasts: number | null;
  freezes: Frozen[];
  rules: { trial: InFreeze; expiration: InFreeze; discount: InFreeze };
  place: 'plan' | 'vendor';
}

const inFreeze = fc.constantFrom<InFreeze>('move', 'run_on');
const freezesFrom = (start: number): fc.Arbitrary<Frozen[]> =>
  fc
    .array(fc.record({ wait: fc.integer({ min: 1, max: 1_500 }), hours: fc.integer({ min: 1, max: 2_000 }) }), { maxLength: 4 })
    .map((some) => {
      let now = start;
      return some.map(({ wait, hours }) => {
        const from = now + wait * HOUR;
        now = from + hours * HOUR;
        return { from, to: now };
      });
    });

const plots: fc.Arbitrary<Plot> = fc.integer({ min: at('2024-01-01') / HOUR, max: at('2026-12-31') / HOUR }).chain((hour) =>
  fc.record({
    start: fc.constant(hour * HOUR),
    cycle: fc.constantFrom('week' as const, 'month' as const, 'quarter' as const),
    trialDays: fc.constantFrom(0, 1, 3, 14, 60),
    duration: fc.integer({ min: 1, max: 5 }),
    lasts: fc.option(fc.integer({ min: 24 * 61, max: 24 * 400 })),
    freezes: freezesFrom(hour * HOUR),
    rules: fc.record({ trial: inFreeze, expiration: inFreeze, discount: inFreeze }),
    place: fc.constantFrom('plan' as const, 'vendor' as const),
  }),
);

/** A date as one rule treats it: each freeze before it makes it later, or the one that it lies in holds it up. */
function dated(date: number, rule: InFreeze, freezes: readonly Frozen[]): number {
  return freezes.reduce((then, { from, to }) => {
    if (from >= then) return then;
    return rule === 'move' ? then + (to - from) : Math.max(then, to);
  }, date);
}

interface Expected {
  invoices: string[];
  ended: number | null;
  reminder: number[];
}

function expectedOf({ start, cycle, trialDays, duration, lasts, freezes, rules }: Plot, until: number): Expected {
  const trialEnd = dated(start + trialDays * DAY, trialDays === 0 ? 'move' : rules.trial, trialDays === 0 ? [] : freezes);
  const end = lasts === null ? null : dated(start + lasts * HOUR, rules.expiration, freezes);
  const spans = spansOf(
    trialEnd,
    cycle,
    null,
    90,
    freezes.filter(({ from }) => from >= trialEnd),
  );
  const over = spansOf(trialEnd, cycle, null, duration)[duration - 1]?.end ?? 0;
  // as many cycles as it has, also where a month's end has become an earlier day and one more begins before its end
  const isOff = (n: number): boolean => n < duration && (rules.discount === 'move' || (spans[n]?.start ?? 0) < over);
  const invoices = spans.flatMap((span, n) =>
    span.start > until || (end !== null && span.start >= end) ? [] : [`${iso(span.start)} ${isOff(n) ? '90.00' : '100.00'}`],
  );
  const reminder = dated(Math.max(start, start + trialDays * DAY - 3 * DAY), rules.trial, freezes);
  const isSent = trialDays > 0 && reminder < trialEnd && (end === null || reminder < end) && reminder <= until;
  return { invoices, ended: end !== null && end <= until ? end : null, reminder: isSent ? [reminder] : [] };
}

function begun({ start, cycle, trialDays, duration, lasts, rules, place }: Plot): Story {
  const given: GivenPauseRules = rules;
  const offer = planOffer('pro', { price: '100', cycle, trialDays, pauseRules: place === 'plan' ? given : {} });
  return signs(iso(start), offer, {
    ...(lasts === null ? {} : { expiration: iso(start + lasts * HOUR) }),
    discount: { type: 'percentage', amount: '10', currency: null, duration, originalDiscountId: null, slug: 'ten', name: 'Ten' },
    vendorPauseRules: place === 'vendor' ? given : { trial: 'move', expiration: 'move', discount: 'move' },
  });
}

/** Lives through the freezes; in each the next invoice is foreseen as if its end were known. */
function lived(plot: Plot): Story {
  const story = begun(plot);
  for (const { from, to } of plot.freezes) {
    freeze(story, from);
    const before = story.ledger.invoices.length;
    const open = [snapshotAhead(story.ledger, story.id(), from)].map((one) => ({
      ...one,
      customer: {
        ...one.customer,
        status: 'active' as const,
        pauses: one.customer.pauses.map((pause) => ({ ...pause, to: pause.to ?? to })),
      },
    }));
    const foreseen = finished(searchNextInvoices(open, from, countingIds()));
    unfreeze(story, to);
    const next = plot.freezes.find((later) => later.from >= to)?.from ?? Number.POSITIVE_INFINITY;
    if (foreseen === null || foreseen.at > next) continue;
    story.advance(iso(foreseen.at));
    expect(writtenSince(story.ledger, before).map(shownOf)).toEqual(foreseen.invoices.map(shownOf));
  }
  return story;
}

test('under every pause rule invoices, end and reminder of the trial’s end are what the rules come to a second way, and what was foreseen', () => {
  fc.assert(
    fc.property(plots, (plot) => {
      const story = lived(plot);
      const until = Math.max(plot.start, ...plot.freezes.map(({ to }) => to)) + 200 * DAY;
      story.advance(iso(until));
      const { invoices, events } = story.ledger;
      const contract = story.contract();
      const found: Expected = {
        invoices: invoices.map(({ date, total }) => `${iso(date)} ${total}`),
        ended: contract.status === 'canceled' ? contract.ended : null,
        reminder: events.filter(({ type }) => type === 'v1.trial.ending').map((event) => event.at),
      };
      expect(found).toEqual(expectedOf(plot, until));
    }),
    runs(),
  );
});
