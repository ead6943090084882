import fc from 'fast-check';
import { DAY, type Instant, iso, MINUTE } from '../../../billing/calendar/instant.ts';
import { type CancelRequest, planCancellation } from '../../../billing/contract/change/cancel.ts';
import { estimateCancel } from '../../../billing/contract/estimate/cancel-estimate.ts';
import { searchNextInvoices } from '../../../billing/contract/estimate/next-invoice.ts';
import { isFrozen, isLive } from '../../../billing/contract/period/time.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runs } from '../../support/runs.ts';
import { chainAhead, finished, shownOf, snapshotAhead, writtenSince } from '../../support-billing/chain-ahead.ts';
import { countingIds } from '../../support-billing/ledger.ts';
import type { Story } from '../../support-billing/story.ts';
import { type Diary, diaries, freeze, snapshots } from './random.ts';

/** For how long nothing may happen where nothing is foreseen. */
const LONG = 60 * DAY;

interface Played {
  story: Story;
  now: Instant;
}

function played(diary: Diary): Played {
  let now = diary.start;
  const story = snapshots(diary, (_story, at) => (now = at));
  return { story, now };
}

/** Usage of the next minutes, some of which may lie after a change or a boundary. */
function usesAhead({ story, now }: Played, minutes: readonly number[]): void {
  for (const ahead of minutes) {
    try {
      if (story.contract().status === 'active' && !isFrozen(story.ledger.pauses)) story.uses(iso(now + ahead * MINUTE), 'calls', '7');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

const minutes = fc.array(fc.nat(59), { maxLength: 3 });
const sorted = (shown: readonly unknown[]): string[] => shown.map((one) => JSON.stringify(one)).sort();

test('whatever has happened, the next invoice is the one that was foreseen, to the cent and line by line', () => {
  fc.assert(
    fc.property(diaries(), minutes, fc.boolean(), (diary, ahead, freezes) => {
      const one = played(diary);
      const { story, now } = one;
      usesAhead(one, ahead);
      if (freezes && diary.deeds.length % 4 === 0) freeze(story, now);
      const before = story.ledger.invoices.length;
      const foreseen = finished(searchNextInvoices(chainAhead(story.ledger, now), now, countingIds()));
      story.advance(iso(foreseen?.at ?? now + LONG));
      const written = writtenSince(story.ledger, before).filter(({ invoice }) => foreseen === null || invoice.date === foreseen.at);
      expect(writtenSince(story.ledger, before)).toHaveLength(written.length);
      expect(sorted((foreseen?.invoices ?? []).map(shownOf))).toEqual(sorted(written.map(shownOf)));
    }),
    runs(),
  );
});

const requests = fc.record({ type: fc.constantFrom('now', 'end_of_cycle', 'date'), days: fc.nat(70), credit: fc.boolean() });

test('whatever has happened, a cancellation brings the invoices of its estimate', () => {
  fc.assert(
    fc.property(diaries(), minutes, requests, (diary, ahead, { type, days, credit }) => {
      const one = played(diary);
      const { story, now } = one;
      usesAhead(one, ahead);
      const when = type === 'date' ? { type: 'date' as const, date: now + days * DAY } : { type: type as 'now' };
      const request: CancelRequest = { when, credit, notes: null };
      const before = story.ledger.invoices.length;
      const own = snapshotAhead(story.ledger, story.id(), now);
      const earlier = chainAhead(story.ledger, now).filter(({ contract }) => !isLive(contract));
      const estimate = refusedOr(() => finished(estimateCancel(own, request, now, countingIds(), { earlier })));
      const done = refusedOr(() => story.does(iso(now), (snapshot, at, newId) => planCancellation(snapshot, request, at, newId)));
      if (typeof estimate === 'string' || typeof done === 'string') {
        expect(estimate).toBe(done);
        return;
      }
      const atOnce = done.effects.invoices.length;
      story.advance(iso((estimate.at ?? now) + LONG));
      const ended = story.contract();
      expect(isLive(ended) ? null : ended.ended).toBe(estimate.at);
      const written = writtenSince(story.ledger, before).filter(
        ({ invoice }, index) => index < atOnce || (estimate.at !== null && invoice.date >= estimate.at),
      );
      expect(sorted(estimate.invoices.map(shownOf))).toEqual(sorted(written.map(shownOf)));
      expect(dec(estimate.total)).toEqual(sum(written.map(({ invoice }) => dec(invoice.total))));
    }),
    runs(0.4),
  );
});

function refusedOr<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
