import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor, made, monthly, paid, takesBack } from '../../support-billing/known-ends.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// `once` and `constant` with an expiration are paid for the whole span up to it.

const whole = (amount: string, cycle: 'once' | 'constant' = 'constant') => planOffer(`w${amount}`, { price: amount, cycle });
const year = (cycle: 'once' | 'constant' = 'constant'): Story => signs('2025-06-01', whole('1200', cycle), { expiration: '2026-06-01' });
const to = (story: Story, date: string, offer: ReturnType<typeof whole>): void =>
  void changes(story, date, changeToPlan(offer, { downgradeAllowed: true }));

describe.each(['constant', 'once'] as const)(
  '%s, 1200.00 for 1 June to 1 June, canceled for 1 March, there and back on 1 December',
  (cycle) => {
    const thereAndBack = (): Story => {
      const story = year(cycle);
      cancelsFor(story, '2025-11-01', '2026-03-01');
      to(story, '2025-12-01', monthly('100'));
      to(story, '2025-12-01', whole('1200', cycle));
      return story;
    };

    it('the cancellation taken back: 92 of 365 days go on, as many come back, and the whole span has cost 1200.00', () => {
      const story = thereAndBack();
      takesBack(story, '2025-12-15');
      expect(made(story, 3)).toEqual(['2025-12-15 0.00: credit plan -302.47, plan 302.47']);
      expect(paid(story)).toBe('1200.00');
    });

    it('put off twice, then taken back: the same', () => {
      const story = thereAndBack();
      cancelsFor(story, '2025-12-10', '2026-04-01');
      cancelsFor(story, '2025-12-11', '2026-04-15');
      takesBack(story, '2025-12-15');
      expect(paid(story)).toBe('1200.00');
    });

    it('there and back once more on another day: the same', () => {
      const story = thereAndBack();
      to(story, '2026-01-10', monthly('100'));
      to(story, '2026-01-10', whole('1200', cycle));
      takesBack(story, '2026-01-10');
      expect(paid(story)).toBe('1200.00');
    });

    it('in a cycle that is free: what goes on is free too', () => {
      const free = planOffer('free', { price: price('1200', { kind: 'flat' }, 1), cycle });
      const story = signs('2025-06-01', free, { expiration: '2026-06-01' });
      cancelsFor(story, '2025-11-01', '2026-03-01');
      to(story, '2025-12-01', planOffer('month', { price: '0' }));
      to(story, '2025-12-01', free);
      takesBack(story, '2025-12-15');
      expect(paid(story)).toBe('0.00');
    });
  },
);

describe.each(['constant', 'once'] as const)('%s, charged in parts because a cancellation was taken back', (cycle) => {
  const inParts = (): Story => {
    const story = signs('2025-06-01', whole('365', cycle), { expiration: '2026-06-01' });
    cancelsFor(story, '2025-11-01', '2026-03-01');
    to(story, '2025-12-01', whole('730', cycle));
    takesBack(story, '2025-12-15');
    return story;
  };

  it('there and back on 1 January: both parts go on, at no cost', () => {
    const story = inParts();
    const before = paid(story);
    to(story, '2026-01-01', monthly('100'));
    to(story, '2026-01-01', whole('730', cycle));
    expect(made(story).at(-1)).toBe('2026-01-01 202.00: credit plan -100.00, plan 302.00');
    expect(paid(story)).toBe(before);
  });

  it('canceled for 1 April before: the parts up to there go on', () => {
    const story = inParts();
    const before = paid(story);
    cancelsFor(story, '2025-12-20', '2026-04-01');
    to(story, '2026-01-01', monthly('100'));
    to(story, '2026-01-01', whole('730', cycle));
    takesBack(story, '2026-01-02');
    expect(paid(story)).toBe(before);
  });
});
