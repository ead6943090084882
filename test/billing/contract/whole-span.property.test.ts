import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor, paid, takesBack } from '../../support-billing/known-ends.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// A contract that is paid once for the time to its expiration, changed among such plans, canceled, frozen, and ended
// with credit: at whole amounts a day it has cost as much as each plan's days, to the cent.

const START = at('2025-06-01');
const DAYS = 365;

type Deed = { wait: number } & (
  | { type: 'plan'; daily: number }
  | { type: 'cancel'; ahead: number }
  | { type: 'undo' }
  | { type: 'freeze'; days: number }
);

const wait = fc.integer({ min: 0, max: 25 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ wait, type: fc.constant('plan' as const), daily: fc.nat(9) }),
  fc.record({ wait, type: fc.constant('cancel' as const), ahead: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ wait, type: fc.constant('undo' as const) }),
  fc.record({ wait, type: fc.constant('freeze' as const), days: fc.integer({ min: 1, max: 20 }) }),
);

test('what a plan for the whole span costs is its price a day, and frozen days cost nothing', () => {
  const plan = (daily: number) => planOffer(`p${daily}`, { price: String(daily * DAYS), cycle: 'constant' });
  fc.assert(
    fc.property(fc.array(deed, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (deeds, last) => {
      const story: Story = signs(iso(START), plan(5), { expiration: '2026-06-01' });
      let now = START;
      let daily = 5;
      let paidDays = 0;
      let expected = 0;
      const go = (days: number) => {
        now += days * DAY;
        paidDays += days;
        expected += days * daily;
      };
      const undo = (): void => {
        if (story.contract().cancellation !== null) takesBack(story, iso(now));
      };
      for (const one of deeds) {
        const pending = story.contract().cancellation?.when;
        if (pending?.type === 'date') {
          // an end is taken back before it comes
          const end =
            pending.at +
            story.ledger.pauses.filter(({ from }) => from >= pending.setAt).reduce((all, { from, to }) => all + ((to ?? 0) - from), 0);
          if (end <= now + one.wait * DAY) undo();
        }
        go(one.wait);
        switch (one.type) {
          case 'freeze':
            freeze(story, now);
            now += one.days * DAY;
            unfreeze(story, now);
            break;
          case 'cancel':
            cancelsFor(story, iso(now), iso(now + one.ahead * DAY));
            break;
          case 'undo':
            undo();
            break;
          default:
            if (one.daily === daily) break;
            daily = one.daily;
            changes(story, iso(now), changeToPlan(plan(daily), { downgradeAllowed: true }));
        }
      }
      undo();
      const left = (DAYS - paidDays) * daily;
      for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
      expect(paid(story)).toBe((expected + left).toFixed(2));
      go(last);
      story.does(iso(now), (snapshot, instant, newId) =>
        planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, instant, newId),
      );
      expect(paid(story)).toBe(expected.toFixed(2));
    }),
    runs(),
  );
});
