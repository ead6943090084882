import fc from 'fast-check';
import { at, DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { isLateAt, standingAt } from '../../../billing/contract/estimate/standing.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { type Diary, diaries, snapshots } from './random.ts';

/** How a story's contract stands at an instant, of what is written of it. */
function standing(story: Story, now: Instant, steps = Number.POSITIVE_INFINITY) {
  const { contract, successor, customer } = snapshotOf(story.ledger, story.id(), now);
  return standingAt({ contract, successor, customer }, now, story.newId, steps).standing;
}

/** A contract without what only its lines say. */
const shown = ({ givenBack: _givenBack, carried: _carried, ...contract }: Contract) => contract;

test('whatever a random life was, its contracts stand without usage, lines and taxes as they do once all is carried out', () => {
  fc.assert(
    fc.property(diaries({ most: 5 }), fc.nat(70 * DAY), (diary: Diary, rest) => {
      let last = diary.start;
      const story = snapshots(diary, (_story, now) => (last = now));
      const now = last + rest;
      const before = standing(story, now);
      story.advance(iso(now));
      const { contracts } = story.ledger;
      expect(before?.contracts.map(shown)).toEqual(before?.contracts.map(({ id }) => shown(contracts.get(id) as Contract)));
      const after = snapshotOf(story.ledger, story.id(), now);
      expect(before?.contracts.at(-1)?.id).toBe(after.contract.id);
      expect(isLateAt(after, now)).toBe(false);
      const { until = null } = before ?? {};
      if (until !== null) {
        expect(standing(story, until - 1)?.contracts.at(-1)).toEqual(after.contract);
        expect(isLateAt(after, until)).toBe(true);
      }
    }),
    runs(),
  );
});

test('a downgrade of 1 February: from then on the old contract is moved, the new one active until 1 March, and its invoice due', () => {
  const story = signs('2025-01-01', planOffer('big', { price: '100' }));
  changes(story, '2025-01-10', changeToPlan(planOffer('small', { price: '40' })));
  const { contracts = [], ...rest } = standing(story, at('2025-02-10')) ?? {};
  expect(contracts.map(({ status, terms }) => [status, terms.slug])).toEqual([
    ['moved', 'big'],
    ['active', 'small'],
  ]);
  expect(rest).toEqual({ firstDue: at('2025-02-01'), until: at('2025-03-01') });
});

test('what is later than the steps that may be taken doesn’t stand anywhere', () => {
  const story = signs('2025-01-01', planOffer('p', { price: '100' }));
  expect([standing(story, at('2025-04-10'), 2), standing(story, at('2025-04-10'), 3)?.contracts[0]?.currentIdx]).toEqual([null, 4]);
});
