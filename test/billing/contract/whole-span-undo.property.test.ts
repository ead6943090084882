import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import type { InFreeze } from '../../../billing/contract/period/pause-rules.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor, paid, takesBack } from '../../support-billing/known-ends.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// A contract that is paid once for the time to its expiration, which freezes move or not as its plan says: another plan
// and the first one again at one instant cost nothing, then and later.

const START = at('2025-06-01');

const offer: fc.Arbitrary<Offer> = fc
  .record({
    daily: fc.integer({ min: 1, max: 9 }),
    yearly: fc.option(fc.integer({ min: 1, max: 9 })),
    expiration: fc.constantFrom<InFreeze>('move', 'run_on'),
  })
  .map(({ daily, yearly, expiration }) =>
    planOffer(`p${daily}${yearly}${expiration}`, {
      ...{ cycle: 'constant', price: String(daily * 365), pauseRules: { expiration } },
      features: yearly === null ? {} : { support: ['year', price(String(yearly * 365))] },
    }),
  );

const wait = fc.integer({ min: 0, max: 20 });
/** A plan to which the contract goes and comes back after the deed; null: none. */
const there = fc.option(offer);
const deed = fc.oneof(
  { weight: 2, arbitrary: fc.record({ wait, there, type: fc.constant('plan' as const), offer }) },
  fc.record({ wait, there, type: fc.constant('freeze' as const), days: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ wait, there, type: fc.constant('cancel' as const), ahead: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ wait, there, type: fc.constant('undo' as const) }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

function goesTo(story: Story, now: number, one: Offer): void {
  try {
    changes(story, iso(now), changeToPlan(one, { downgradeAllowed: true }));
  } catch (error) {
    expect(error).toMatchObject({ code: 'nothing_to_change' });
  }
}

/** A life up to its last deed, or to its end; canceled in the end with credit. */
function lived(first: Offer, deeds: readonly Deed[], isThereAndBack: boolean): Story {
  const story = signs(iso(START), first, { expiration: '2026-06-01' });
  let [now, own] = [START, first];
  const isActive = (): boolean => story.contract().status === 'active';
  const undo = (): void => {
    if (story.contract().cancellation !== null) takesBack(story, iso(now));
  };
  for (const one of deeds) {
    now += one.wait * DAY;
    story.advance(iso(now));
    if (!isActive()) return story;
    if (one.type === 'freeze') {
      freeze(story, now);
      now += one.days * DAY;
      unfreeze(story, now);
      if (!isActive()) return story;
    } else if (one.type === 'plan') {
      goesTo(story, now, one.offer);
      own = one.offer;
    } else if (one.type === 'cancel') cancelsFor(story, iso(now), iso(now + one.ahead * DAY));
    else undo();
    if (!isThereAndBack || one.there === null) continue;
    const before = paid(story);
    goesTo(story, now, one.there);
    goesTo(story, now, own);
    expect(paid(story)).toBe(before);
  }
  undo();
  now += 3 * DAY;
  story.advance(iso(now));
  const request = { when: { type: 'now' as const }, credit: true, notes: null };
  if (isActive()) story.does(iso(now), (snapshot, instant, newId) => planCancellation(snapshot, request, instant, newId));
  return story;
}

test('there and back at one instant costs nothing, then and later, whatever pause rules, freezes and cancellations come', () => {
  fc.assert(
    fc.property(offer, fc.array(deed, { minLength: 1, maxLength: 6 }), (first, deeds) => {
      const [back, never] = [true, false].map((isThereAndBack) => lived(first, deeds, isThereAndBack)) as [Story, Story];
      for (const { amounts, recomputed } of [...back.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
      const cents = dec('0.01').times(back.ledger.lines.size + never.ledger.lines.size);
      const apart = dec(paid(back)).minus(paid(never)).abs();
      expect(apart.lte(cents) ? 'by roundings' : apart.toFixed()).toBe('by roundings');
    }),
    runs(0.5),
  );
});
