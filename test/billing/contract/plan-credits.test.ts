import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import type { ChangeRule, Proration } from '../../../billing/contract/terms/change-rules.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { cancelsFor, followsRule, takesBack, to } from '../../support-billing/known-ends.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// Credits of plans follow the prices that they come with: up to a known end of the contract, and by every rule.

/** As many credits a cycle as the plan costs. */
const gives = (amount: string) =>
  planOffer(`p${amount}`, {
    price: amount,
    features: { seats: seats('3', '1') },
    credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null },
  });
const upgraded = (words: SignWords = {}, canceledFor: string | null = null): Story => {
  const story = signs('2025-06-01', gives('30'), words);
  if (canceledFor !== null) cancelsFor(story, '2025-06-05', canceledFor);
  changes(story, '2025-06-11', changeToPlan(gives('300')));
  return story;
};
const yearly = (amount: string) =>
  planOffer(`y${amount}`, {
    price: amount,
    cycle: 'year',
    features: { seats: seats('3', '1') },
    credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null },
  });
const given = ({ ledger }: Story): string[] => ledger.grants.map(({ amount }) => amount);
const back = ({ ledger }: Story): string[] => ledger.creditsBack.map(({ amount }) => amount);
const planLines = ({ ledger }: Story) => [...ledger.lines.values()].filter(({ source }) => source === 'plan');
const paidForPlans = (story: Story): string => sum(planLines(story).map(({ subtotal }) => dec(subtotal))).toFixed(2);

test('30 → 300 a month on 11 June, expiring on 21 June: −10.00 and +100.00, and 90.00 credits more', () => {
  expect(given(upgraded({ expiration: '2025-06-21' }))).toEqual(['30.00', '90.00']);
});

test('canceled for 21 June the same; taken back, the rest of the month brings 90.00 more, as the lines that are charged on', () => {
  const story = upgraded({}, '2025-06-21');
  expect(given(story)).toEqual(['30.00', '90.00']);
  takesBack(story, '2025-06-15');
  expect(given(story)).toEqual(['30.00', '90.00', '90.00']);
  story.advance('2025-07-01');
  expect(given(story)).toEqual(['30.00', '90.00', '90.00', '300.00']);
});

test('put off to 26 June and then taken back: 45.00 and 45.00', () => {
  const story = upgraded({}, '2025-06-21');
  cancelsFor(story, '2025-06-14', '2025-06-26');
  takesBack(story, '2025-06-15');
  expect(given(story)).toEqual(['30.00', '90.00', '45.00', '45.00']);
});

test('moved to an earlier day and back again: nothing', () => {
  const story = upgraded({}, '2025-06-21');
  cancelsFor(story, '2025-06-14', '2025-06-16');
  cancelsFor(story, '2025-06-15', '2025-06-21');
  expect([given(story), back(story)]).toEqual([['30.00', '90.00'], []]);
});

test('canceled on 16 June with credit: 50.00 of the new plan’s go back, and 10.00 of the old one’s behind the end', () => {
  const story = upgraded({}, '2025-06-21');
  const request = { when: { type: 'now' as const }, credit: true, notes: null };
  story.does('2025-06-16', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
  expect(back(story)).toEqual(['60.00']);
});

test('seats that are added meanwhile change nothing of it', () => {
  const story = upgraded({}, '2025-06-21');
  changes(story, '2025-06-12', toUnits({ seats: '2' }));
  expect([given(story), back(story)]).toEqual([['30.00', '90.00'], []]);
  takesBack(story, '2025-06-15');
  expect(given(story)).toEqual(['30.00', '90.00', '90.00']);
});

test('to a plan without credits: those up to the end go back, the rest once the cancellation is taken back', () => {
  const story = signs('2025-06-01', gives('30'));
  cancelsFor(story, '2025-06-05', '2025-06-21');
  changes(story, '2025-06-11', changeToPlan(planOffer('bare', { price: '60' })));
  expect(back(story)).toEqual(['10.00']);
  takesBack(story, '2025-06-15');
  expect(back(story)).toEqual(['10.00', '10.00']);
});

describe('by other rules than time', () => {
  test('a seat more by a rule that gives nothing back brings no credits', () => {
    const story = signs('2025-06-01', gives('30'));
    followsRule(story, { credit: 'none' });
    changes(story, '2025-06-16', toUnits({ seats: '2' }));
    expect([given(story), back(story)]).toEqual([['30.00'], []]);
  });

  test.each([
    ['none', '60', '60.00'],
    ['difference', '60', '60.00'],
    ['none', '10', '10.00'],
    ['difference', '10', '10.00'],
  ] as const)('%s at the end of the cycle, 30 → %s: the next one brings all of its credits, %s', (proration, amount, credits) => {
    const story = signs('2025-06-01', gives('30'));
    followsRule(story, { when: 'next_cycle', proration });
    changes(story, '2025-06-11', changeToPlan(gives(amount), { activation: 'next_cycle' }));
    story.advance('2025-08-01');
    expect([given(story), back(story)]).toEqual([['30.00', credits, credits], []]);
  });

  test('30 → 300 by none, then by time to 600 on 16 June: half of 30 goes back, 285.00 come; the next cycle brings 600.00', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'none', gives('300'));
    to(story, '2025-06-16', 'time', gives('600'));
    story.advance('2025-07-01');
    expect([given(story), back(story)]).toEqual([['30.00', '285.00', '600.00'], []]);
  });

  test('300 → 30 by difference, then by time to 600 on 16 June: half of 300 goes back, 150.00 come', () => {
    const story = signs('2025-06-01', gives('300'));
    to(story, '2025-06-11', 'difference', gives('30'));
    to(story, '2025-06-16', 'time', gives('600'));
    expect([given(story), back(story)]).toEqual([['300.00', '150.00'], []]);
  });

  test('30 → 60 by difference on 11 June, then by time to 600 on 16 June: 15.00 and three quarters of 30 go back, 262.50 come', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'difference', gives('60'));
    to(story, '2025-06-16', 'time', gives('600'));
    expect([given(story), back(story)]).toEqual([['30.00', '30.00', '262.50'], []]);
  });

  test('30 → 60 by difference and back by time at the same instant: 30.00 come and go, as their price does', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'difference', gives('60'));
    to(story, '2025-06-11', 'time', gives('30'));
    expect([given(story), back(story), paidForPlans(story)]).toEqual([['30.00', '30.00'], ['30.00'], '30.00']);
  });

  test('30 → 60 → 90 by difference on 11 and 16 June, canceled with credit on 21 June: 10.00, 15.00 and 20.00 go back', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'difference', gives('60'));
    to(story, '2025-06-16', 'difference', gives('90'));
    changes(story, '2025-06-17', toUnits({ seats: '2' }));
    const request = { when: { type: 'now' as const }, credit: true, notes: null };
    story.does('2025-06-21', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    expect([given(story), back(story)]).toEqual([['30.00', '30.00', '30.00'], ['45.00']]);
  });

  test('30 → 60 by difference on 11 June, ten days frozen, canceled with credit half a cycle before the end: 15.00 and 22.50', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'difference', gives('60'));
    freeze(story, at('2025-06-12'));
    unfreeze(story, at('2025-06-22'));
    const request = { when: { type: 'now' as const }, credit: true, notes: null };
    story.does('2025-06-26', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    expect(back(story)).toEqual(['37.50']);
  });

  test('a month of 30 → a year of 365 by difference on 11 June and back by time: 20.00 of the month and 335.00 go, 30.00 come', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'difference', yearly('365'));
    to(story, '2025-06-11', 'time', gives('30'));
    expect([given(story), back(story), paidForPlans(story)]).toEqual([['30.00', '335.00'], ['325.00'], '40.00']);
  });

  test('30 → 300 by none with seats added after it, canceled on 16 June with credit: half of 30 goes back', () => {
    const story = signs('2025-06-01', gives('30'));
    to(story, '2025-06-11', 'none', gives('300'));
    changes(story, '2025-06-12', toUnits({ seats: '2' }));
    const request = { when: { type: 'now' as const }, credit: true, notes: null };
    story.does('2025-06-16', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    expect([given(story), back(story)]).toEqual([['30.00'], ['15.00']]);
  });
});

const wait = fc.integer({ min: 0, max: 25 });
const amount = fc.integer({ min: 1, max: 400 }).map(String);
const rule = fc.record({
  proration: fc.constantFrom<Proration>('time', 'time', 'difference', 'full', 'none'),
  credit: fc.constantFrom<ChangeRule['credit']>('wallet', 'wallet', 'none'),
});
const deed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ wait, type: fc.constant('plan' as const), amount, rule, nextCycle: fc.boolean() }) },
  fc.record({ wait, type: fc.constant('cancel' as const), ahead: fc.option(fc.integer({ min: 1, max: 40 })), credit: fc.boolean() }),
  fc.record({ wait, type: fc.constant('undo' as const) }),
  fc.record({ wait, type: fc.constant('seats' as const), units: fc.integer({ min: 1, max: 9 }).map(String), rule }),
  fc.record({ wait, type: fc.constant('freeze' as const), days: fc.integer({ min: 1, max: 20 }) }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** @returns the instant behind it */
function act(story: Story, one: Deed, now: number): number {
  const date = iso(now);
  switch (one.type) {
    case 'freeze':
      freeze(story, now);
      unfreeze(story, now + one.days * DAY);
      return now + one.days * DAY;
    case 'cancel': {
      const when = one.ahead === null ? { type: 'now' as const } : { type: 'date' as const, date: now + one.ahead * DAY };
      story.does(date, (snapshot, at, newId) => planCancellation(snapshot, { when, credit: one.credit, notes: null }, at, newId));
      return now;
    }
    case 'undo':
      story.does(date, planCancelUndo);
      return now;
    case 'seats':
      followsRule(story, one.rule);
      changes(story, date, toUnits({ seats: one.units }, { downgradeAllowed: true }));
      return now;
    default:
      followsRule(story, one.rule);
      changes(
        story,
        date,
        changeToPlan(gives(one.amount), { downgradeAllowed: true, ...(one.nextCycle ? { activation: 'next_cycle' } : {}) }),
      );
      return now;
  }
}

test('plans that give as many credits as they cost have given what they have charged, but for roundings, whatever happens', () => {
  fc.assert(
    fc.property(amount, fc.array(deed, { minLength: 1, maxLength: 9 }), (first, deeds) => {
      const story = signs('2025-06-01', gives(first));
      let now = at('2025-06-01');
      const check = (): void => {
        const lines = planLines(story);
        const charged = sum(lines.map(({ subtotal }) => dec(subtotal)));
        const credits = sum(story.ledger.grants.map((one) => dec(one.amount))).minus(
          sum(story.ledger.creditsBack.map((one) => dec(one.amount))),
        );
        const apart = charged.minus(credits).abs();
        expect(apart.lte(dec('0.01').times(2 * lines.length)) ? 'by roundings' : `${charged} and ${credits}`).toBe('by roundings');
      };
      for (const one of deeds) {
        now += one.wait * DAY;
        story.advance(iso(now));
        try {
          now = act(story, one, now);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        check();
      }
      story.advance(iso(now + 70 * DAY));
      check();
    }),
    runs(),
  );
});
