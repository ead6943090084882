import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { remainingOf } from '../../../billing/contract/period/time.ts';
import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount, features: { support: ['year', price(amount)] } });

test('canceled for the end of the third cycle, then changed: it ends there, and no event says that it was taken back', () => {
  const story = signs('2025-06-01', monthly('100'));
  story.advance('2025-08-05');
  story.does('2025-08-05', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
  );
  changes(story, '2025-08-16', changeToPlan(monthly('300')));
  expect(story.contract().cancellation?.when).toEqual({ type: 'boundary', n: 3 });
  expect(story.ledger.events.map(({ type }) => type)).not.toContain('v1.contract.cancellation.undone');
  story.advance('2025-09-01');
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-09-01') });
});

test('lines of a change say that they end with the contract only where they do, and credits the same', () => {
  const derivations = (story: Story) =>
    [...story.ledger.lines.values()].slice(2).map(({ derivation, source }) => [source, derivation.cut, derivation.until]);
  const whole = signs('2025-06-01', monthly('100'));
  changes(whole, '2025-06-16', changeToPlan(monthly('300')));
  expect(derivations(whole)).toEqual([
    ['plan', undefined, undefined],
    ['feature:support', undefined, undefined],
    ['plan', undefined, undefined],
    ['feature:support', undefined, undefined],
  ]);
  const ending = signs('2025-06-01', monthly('100'), { expiration: '2025-06-21' });
  changes(ending, '2025-06-16', changeToPlan(monthly('300')));
  const until = { at: at('2025-06-21'), setAt: at('2025-06-16') };
  expect(derivations(ending)).toEqual([
    ['plan', undefined, until],
    ['feature:support', undefined, until],
    ['plan', true, undefined],
    ['feature:support', true, undefined],
  ]);
});

test.each([
  ['no end is known', null, false],
  ['the contract ends with the line', '2025-07-01', false],
  ['it ends before', '2025-06-21', true],
])('what is left of a line for June is cut where %s: %s %s', (_, until, isCut) => {
  const line = { span: { start: at('2025-06-01'), end: at('2025-07-01') } };
  expect(remainingOf(line, at('2025-06-11'), [], until === null ? null : at(until))?.isCut).toBe(isCut);
});

test('a contract that a change begins in a trial has nothing to go on with', () => {
  const trial = (amount: string) => planOffer(`t${amount}`, { price: amount, trialDays: 20 });
  const story = signs('2025-06-01', trial('100'));
  changes(story, '2025-06-10', changeToPlan(trial('300')));
  expect(story.contract().givenBack).toEqual([]);
});
