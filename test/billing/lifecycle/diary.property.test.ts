import fc from 'fast-check';
import { at, DAY, HOUR, iso } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import type { ContractStatus } from '../../../billing/contract/types.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { leadsTo } from '../../../billing/lifecycle/machine.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { contractOf } from '../../support-billing/ledger.ts';
import { signs } from '../../support-billing/story.ts';
import { diaries, freeze, snapshots, unfreeze } from '../contract/random.ts';

test('whatever happens, a contract is made and changes as its table says', () => {
  const initial = contractMachine.starts.map(({ to }) => to);
  fc.assert(
    fc.property(diaries(), (diary) => {
      const before = new Map<string, ContractStatus>();
      snapshots(diary, ({ ledger }) => {
        for (const { id, status } of ledger.contracts.values()) {
          const from = before.get(id);
          const ways = from === undefined ? initial : [from];
          // an action may take several steps, such as an end of trial and a change
          expect(ways.some((way) => reaches(way, status))).toBe(true);
          before.set(id, status);
        }
      });
    }),
    runs(0.1),
  );
});

function reaches(from: ContractStatus, to: ContractStatus): boolean {
  const found = new Set([from]);
  for (const state of found) {
    for (const { from: one, to: other } of contractMachine.transitions) if (one === state) found.add(other);
  }
  return found.has(to);
}

test('nothing comes back: moved and canceled lead nowhere', () => {
  expect(leadsTo(contractMachine, 'scheduled', 'active')).toBe(true);
  expect(leadsTo(contractMachine, 'moved', 'active')).toBe(false);
  expect(leadsTo(contractMachine, 'canceled', 'canceled')).toBe(true);
});

const hours = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most }).map((n) => n * HOUR);

test('no expiration finds a scheduled contract: it comes after the activation, however the two are frozen', () => {
  const freezes = fc.array(fc.record({ after: hours(40 * 24), lasts: hours(40 * 24) }), { maxLength: 4 });
  const times = fc.record({ asked: fc.option(hours(10 * 24)), ahead: hours(40 * 24), more: hours(40 * 24), freezes });
  fc.assert(
    fc.property(times, (one) => {
      const signed = at('2025-01-01');
      const activation = signed + (one.asked ?? 0) + one.ahead;
      const expiration = iso(activation + one.more);
      const story = signs('2025-01-01', planOffer('p', { price: '10' }), {
        expiration,
        ...(one.asked === null ? { activation: iso(activation) } : { isPending: true }),
      });
      if (one.asked !== null)
        story.does(iso(signed + one.asked), (snapshot, now, newId) => planActivation(snapshot, activation, now, newId));
      let now = signed + (one.asked ?? 0);
      for (const { after, lasts } of one.freezes) {
        freeze(story, now + after);
        now += after + lasts;
        unfreeze(story, now);
      }
      story.advance(iso(now + 400 * DAY));
      const { status, began, ended } = contractOf(story.ledger, story.id());
      expect([status, began !== null && ended !== null && began < ended]).toEqual(['canceled', true]);
    }),
    runs(0.5),
  );
});
