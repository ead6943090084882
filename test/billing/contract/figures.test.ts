import { at } from '../../../billing/calendar/instant.ts';
import { figuresOf, nextCycleStart } from '../../../billing/contract/charge/figures.ts';
import { timesOf } from '../../../billing/contract/charge/views.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const monthly = planOffer('pro', { price: '29', features: { seats: seats('10', '5') } });
const next = (story: Story) => nextCycleStart(story.contract(), story.ledger.pauses);

test('79.00 a month, the next month on 28 February', () => {
  const story = signs('2025-01-31', monthly);
  expect(figuresOf(story.contract(), [])).toEqual({ amount: '79.00', nextCycleStart: at('2025-02-28') });
  story.advance('2025-03-01');
  expect(next(story)).toBe(at('2025-03-31'));
});

test.each<[string, () => Story, number | null]>([
  ['in a trial at its end', () => signs('2025-01-01', planOffer('t', { price: '1', trialDays: 10 })), at('2025-01-11')],
  ['never for a single payment', () => signs('2025-01-01', planOffer('o', { price: '1', cycle: 'once' })), null],
  ['unknown while it is pending', () => signs('2025-01-01', monthly, { isPending: true }), null],
  [
    'unknown while it is scheduled',
    () => signs('2025-01-01', planOffer('t', { price: '1', trialDays: 10 }), { activation: '2025-02-01' }),
    null,
  ],
  [
    'none after the end',
    () => {
      const story = signs('2025-01-01', monthly, { expiration: '2025-01-20' });
      story.advance('2025-01-20');
      return story;
    },
    null,
  ],
])('the next cycle: %s', (_, story, expected) => {
  expect(next(story())).toBe(expected);
});

describe('freezes and what is shown', () => {
  const freeze = { from: at('2025-01-12'), to: at('2025-01-14') };

  test('after the end of a contract nothing of it moves, from the instant of the end on', () => {
    const story = signs('2025-01-10', monthly, { expiration: '2025-01-20' });
    story.advance('2025-01-20');
    const shown = (from: string, to: string) => timesOf(story.contract(), [{ from: at(from), to: at(to) }]).currentPeriod?.end;
    expect(shown('2025-01-20', '2025-01-25')).toBe(at('2025-02-10'));
    expect(shown('2025-01-22', '2025-01-25')).toBe(at('2025-02-10'));
    expect(shown('2025-01-12', '2025-01-14')).toBe(at('2025-02-12'));
  });

  test('the offset moves with the period a freeze falls into: 9, then 11; not before a contract begins', () => {
    expect(timesOf(signs('2025-01-10', monthly).contract(), []).cycleStartOffset).toBe(9);
    expect(timesOf(signs('2025-01-10', monthly).contract(), [freeze]).cycleStartOffset).toBe(11);
    expect(timesOf(signs('2025-01-10', monthly, { isPending: true }).contract(), [freeze]).cycleStartOffset).toBe(9);
  });
});
