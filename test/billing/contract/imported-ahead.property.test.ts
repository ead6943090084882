import fc from 'fast-check';
import { at, DAY, HOUR, type Instant, iso } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { boundary, customRhythm, indexOf } from '../../../billing/calendar/rhythm.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import type { CustomTrigger } from '../../../billing/contract/period/time.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, toUnits } from '../../support-billing/changes.ts';
import { type Story, signs, standsAt } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const AHEAD = 500 * DAY;

/** What happens after the import, each so many days after what came before. */
const acts = fc.array(
  fc.record({
    days: fc.integer({ min: 1, max: 60 }),
    isAtOccurrence: fc.boolean(),
    act: fc.constantFrom('units now' as const, 'units at the end of the cycle' as const, 'freeze' as const),
    frozen: fc.integer({ min: 1, max: 70 }),
  }),
  { maxLength: 5 },
);

const books = fc.record({
  anchor: fc.integer({ min: at('2023-01-28') / DAY, max: at('2024-03-02') / DAY }).map((days) => days * DAY),
  days: fc.integer({ min: 1, max: 300 }),
  cycle: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
  ahead: fc.integer({ min: 1, max: 300 }),
  late: fc.boolean(),
  acts,
});
type Book = typeof books extends fc.Arbitrary<infer T> ? T : never;

/** Of the care, which is charged by the month and by the quarter, and billed elsewhere up to an instant. */
function played(book: Book, billedUntil: Instant): Story {
  const { story, time } = acted(book, billedUntil);
  story.advance(iso(time + AHEAD));
  return story;
}

/** The same, canceled after all acts, with credit. */
function canceled(book: Book, billedUntil: Instant): { story: Story; time: Instant } {
  const { story, time } = acted(book, billedUntil);
  story.does(iso(time), (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
  );
  return { story, time };
}

function acted({ anchor, days, cycle, late, acts: all }: Book, billedUntil: Instant): { story: Story; time: Instant } {
  const now = anchor + days * DAY;
  const rhythm = { start: anchor, cycle, offset: null, pauses: [] };
  const billed = boundary(rhythm, indexOf(rhythm, now) + (late ? 0 : 1));
  const offer = planOffer('pro', {
    price: price('30'),
    cycle,
    features: { seats: seats('5', '1'), care: ['quarter', price('90')], help: ['month', price('10')] },
  });
  const standing = standsAt(iso(anchor), billed === null ? null : iso(billed), { customBilledUntil: billedUntil });
  const story = signs(iso(now), offer, { standing });
  let time = now;
  for (const [index, { days: after, isAtOccurrence, act, frozen }] of all.entries()) {
    time += after * DAY + HOUR;
    if (isAtOccurrence) time = nextMonthOf(anchor, time, story.ledger.pauses);
    story.advance(iso(time));
    if (act === 'freeze') {
      freeze(story, time);
      time += frozen * DAY;
      unfreeze(story, time);
    } else {
      const activation = act === 'units now' ? 'immediate' : 'next_cycle';
      // one that waits is replaced by the next
      changes(story, iso(time), toUnits({ seats: String(index + 2) }, { activation }));
    }
  }
  return { story, time };
}

function nextMonthOf(anchor: Instant, time: Instant, pauses: Pause[]): Instant {
  const rhythm = customRhythm(anchor, 'month', pauses);
  return boundary(rhythm, indexOf(rhythm, time) + 1) ?? time;
}

const linesOf = ({ ledger }: Story, source: string): string[] =>
  [...ledger.lines.values()]
    .filter((line) => line.source === source && line.kind !== 'wallet' && !line.elsewhere)
    .map(({ kind, span, totalIncludingTax }) => `${kind} ${iso(span?.start ?? 0)} ${totalIncludingTax}`);

test('what another system has billed ahead is left out, and all else is charged as without it, whatever units and freezes come', () => {
  fc.assert(
    fc.property(books, (book) => {
      const now = book.anchor + book.days * DAY;
      const until = now + book.ahead * DAY;
      const [ahead, others] = [played(book, until), played(book, now + 1)];
      const paid = (trigger: CustomTrigger): number => {
        const rhythm = customRhythm(book.anchor, trigger, []);
        return indexOf(rhythm, until - 1) - indexOf(rhythm, now);
      };
      expect(linesOf(ahead, 'feature:care')).toEqual(linesOf(others, 'feature:care').slice(paid('quarter')));
      expect(linesOf(ahead, 'feature:help')).toEqual(linesOf(others, 'feature:help').slice(paid('month')));
      for (const source of ['plan', 'feature:seats']) expect(linesOf(ahead, source)).toEqual(linesOf(others, source));
    }),
    runs(),
  );
});

const PRICES = { 'feature:care': ['quarter', '90'], 'feature:help': ['month', '10'] } as const;

const givenBack = ({ ledger }: Story, source: string) =>
  sum([...ledger.lines.values()].filter((line) => line.source === source && line.kind === 'credit').map((line) => dec(line.subtotal)));

test('a cancellation gives back each month and quarter that lies ahead whole, and of the running one what is left, whatever freezes came', () => {
  fc.assert(
    fc.property(books, (book) => {
      const now = book.anchor + book.days * DAY;
      const until = now + book.ahead * DAY;
      const [ahead, others] = [canceled(book, until), canceled(book, now + 1)];
      for (const [source, [trigger, amount]] of Object.entries(PRICES)) {
        const last = indexOf(customRhythm(book.anchor, trigger, []), until - 1);
        const running = indexOf(customRhythm(book.anchor, trigger, ahead.story.ledger.pauses), ahead.time);
        const whole = dec(amount).times(Math.max(0, last - running));
        const back = givenBack(ahead.story, source);
        expect(back.toFixed(2)).toBe(givenBack(others.story, source).minus(whole).toFixed(2));
      }
    }),
    runs(),
  );
});
