import fc from 'fast-check';
import { at, DAY, HOUR, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { boundary, indexOf } from '../../../billing/calendar/rhythm.ts';
import { rhythmOf } from '../../../billing/contract/period/time.ts';
import type { ImportStanding } from '../../../billing/contract/terms/standing.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { discountOf } from '../invoice/build.ts';

/** A contract that began at an anchor, and when it is imported. */
const books = fc.record({
  anchor: fc.integer({ min: at('2023-01-28') / HOUR, max: at('2024-03-02') / HOUR }).map((hours) => hours * HOUR),
  isMonthEnd: fc.boolean(),
  days: fc.integer({ min: 1, max: 800 }),
  cycle: fc.constantFrom('week' as const, 'month' as const, 'quarter' as const, 'year' as const),
  offset: fc.constantFrom(null, 0, 3),
  discounted: fc.nat(12),
  free: fc.nat(6),
  isFlat: fc.boolean(),
});
type Book = typeof books extends fc.Arbitrary<infer T> ? T : never;

const AHEAD = 800 * DAY;
const MONTH_END = at('2024-01-31');

const offerOf = ({ cycle, free }: Book) =>
  planOffer('pro', {
    price: price('29.99', { kind: 'flat' }, free % 2),
    cycle,
    freeCycles: free,
    features: { seats: seats('4.99', '3'), care: ['quarter', price('90')] },
  });

const wordsOf = ({ discounted, isFlat, offset }: Book): SignWords => ({
  offset,
  discount: discounted === 0 ? null : { ...discountOf(isFlat ? 'flat' : 'percentage', '7'), duration: discounted },
});

/** How the contract stands in the other system when it is imported: as many cycles left as an undisturbed one has. */
function standingOf(own: Story, book: Book, now: Instant, counts: boolean): ImportStanding {
  const contract = own.contract();
  const rhythm = rhythmOf(contract, []);
  const billed = indexOf(rhythm, now) + 1;
  const left = (cycles: number): number => Math.max(0, cycles - billed);
  return {
    anchor: rhythm.start,
    billedUntil: boundary(rhythm, billed),
    // what an undisturbed contract charges from now on
    customBilledUntil: now + 1,
    trialEnd: null,
    discountCyclesLeft: counts && book.discounted >= billed ? left(book.discounted) : null,
    freeCyclesLeft: counts && book.free > billed ? left(book.free) : null,
  };
}

test('from where it is billed to, an imported contract has the invoices of one that was signed at its anchor', () => {
  fc.assert(
    fc.property(books, fc.boolean(), fc.option(fc.nat(400), { nil: null }), (book, counts, changedAfter) => {
      const anchor = book.isMonthEnd ? MONTH_END : book.anchor;
      const now = anchor + book.days * DAY;
      const own = signs(iso(anchor), offerOf(book), wordsOf(book));
      own.advance(iso(now));
      const standing = standingOf(own, book, now, counts);
      const before = own.ledger.invoices.length;
      const imported = signs(iso(now), offerOf(book), { ...wordsOf(book), standing });
      for (const story of [own, imported]) {
        if (changedAfter !== null) changes(story, iso(now + changedAfter * DAY + HOUR), toUnits({ seats: '5' }));
        story.advance(iso(now + AHEAD));
      }
      expect(invoicesOf(imported)).toEqual(invoicesOf(own).slice(before));
    }),
    runs(),
  );
});
