import { at, iso } from '../../../billing/calendar/instant.ts';
import { runsUntil } from '../../../billing/contract/change/runs-until.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const team = planOffer('team', { price: '30', features: { seats: seats('10', '2'), base: ['year', price('365')] } });

/** When the time of the first line of a source was over. */
function until(story: Story, source: string): string | null {
  const all = [...story.ledger.lines.values()].filter((one) => one.source === source && one.kind !== 'credit');
  const [first, ...others] = all as [ChargedLine, ...ChargedLine[]];
  const later = others.filter(({ contractId }) => contractId !== first.contractId);
  const { pauses } = story.ledger;
  const instant = runsUntil(first, { chain: story.ledger.contracts, others: later, pauses });
  return instant === null ? null : iso(instant).slice(0, 10);
}

test('the time of a line of a contract that lives has no end', () => {
  expect(until(signs('2025-03-01', team), 'plan')).toBeNull();
});

test('goes on over changes that leave it alone, and ends where one replaces it: the seats on 11 March', () => {
  const story = signs('2025-03-01', team);
  changes(story, '2025-03-11', toUnits({ seats: '3' }));
  changes(story, '2025-03-15', toUnits({ seats: '4' }));
  expect([until(story, 'plan'), until(story, 'feature:base'), until(story, 'feature:seats')]).toEqual([null, null, '2025-03-11']);
});

test('an expiration leaves what is charged whole: the time of its lines has no end, after a change of units too', () => {
  const story = signs('2025-03-01', team, { expiration: '2025-03-21' });
  changes(story, '2025-03-11', toUnits({ seats: '3' }));
  story.advance('2025-03-21');
  expect([until(story, 'plan'), until(story, 'feature:base'), until(story, 'feature:seats')]).toEqual([null, null, '2025-03-11']);
});

test('ends with the plan: on 15 March, also where the next one costs the same', () => {
  for (const amount of ['30', '60']) {
    const story = signs('2025-03-01', team);
    changes(story, '2025-03-11', toUnits({ seats: '3' }));
    changes(story, '2025-03-15', changeToPlan(planOffer('max', { price: amount }), { activation: 'immediate', downgradeAllowed: true }));
    expect([until(story, 'plan'), until(story, 'feature:base')]).toEqual(['2025-03-15', '2025-03-15']);
  }
});

test('ends where a flat discount is spread over all recurring lines again', () => {
  const discount = { originalDiscountId: null, slug: 't', name: 'T', type: 'flat', amount: '5', currency: 'usd', duration: 9 } as const;
  const story = signs('2025-03-01', team, { discount });
  changes(story, '2025-03-11', toUnits({ seats: '3' }));
  expect([until(story, 'plan'), until(story, 'feature:base')]).toEqual(['2025-03-11', null]);
});

test('goes on into a later cycle: a year’s line beside a monthly plan that was changed in May', () => {
  const story = signs('2025-03-01', team);
  changes(story, '2025-05-11', toUnits({ seats: '3' }));
  expect([until(story, 'plan'), until(story, 'feature:base')]).toEqual(['2025-05-11', null]);
});

test('goes on where a freeze has moved it: to 11 April, and with another plan of 5 April only to that', () => {
  const story = signs('2025-03-01', team);
  freeze(story, at('2025-03-05'));
  unfreeze(story, at('2025-03-15'));
  changes(story, '2025-03-20', toUnits({ seats: '3' }));
  expect(until(story, 'plan')).toBeNull();
  changes(story, '2025-04-05', toUnits({ seats: '4' }));
  expect(until(story, 'plan')).toBeNull();
  changes(story, '2025-04-08', changeToPlan(planOffer('max', { price: '60' }), { activation: 'immediate', downgradeAllowed: true }));
  expect(until(story, 'plan')).toBe('2025-04-08');
});
