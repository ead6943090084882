import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cyclesLater, type SecondCycle } from '../../support-billing/second-calendar.ts';
import { cents, less, num, shareOf, shareTimes, shownMoney } from '../../support-billing/second-way.ts';
import { signs } from '../../support-billing/story.ts';

// The credits of two plans and of a change between them, worked out from dates and texts of the rules alone.

const money = fc.integer({ min: 1, max: 50_000 }).map((n) => (n / 100).toFixed(2));
const credits = fc.record({
  amount: money,
  expiresAfterCycles: fc.integer({ min: 1, max: 4 }),
  rolloverMaximum: fc.option(money),
});
const snapshot = fc.record({
  cycle: fc.constantFrom<SecondCycle>('week', 'month', 'quarter', 'year'),
  start: fc.integer({ min: at('2023-01-01') / DAY, max: at('2029-01-01') / DAY }).map((days) => days * DAY),
  period: fc.nat(2),
  moment: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  old: credits,
  fresh: credits,
  comesBack: fc.boolean(),
});

test('what plans give with cycles and changes, and what goes back, is what the rules come to a second way', () => {
  fc.assert(
    fc.property(snapshot, ({ cycle, start, period, moment, old, fresh, comesBack }) => {
      const bound = (n: number): number => cyclesLater(start, cycle, n);
      const [begin, end] = [bound(period), bound(period + 1)];
      const change = Math.min(end - 1, Math.max(begin + 1, Math.round(begin + (end - begin) * moment)));
      const [low, high] = [
        planOffer('low', { cycle, price: '10', credits: old }),
        planOffer('high', { cycle, price: '20', credits: fresh }),
      ];
      const story = signs(iso(start), low);
      changes(story, iso(change), changeToPlan(high));
      if (comesBack) changes(story, iso(change), changeToPlan(low, { downgradeAllowed: true }));
      story.advance(iso(end));

      const given = (n: number, of: typeof old, amount = of.amount, since = bound(n)): string => {
        const until = of.rolloverMaximum === null ? null : iso(bound(n + 2 * of.expiresAfterCycles));
        return `${amount} ${iso(since)} ${iso(bound(n + of.expiresAfterCycles))} ${of.rolloverMaximum} ${until}`;
      };
      const gain = cents(shareTimes(less(num(fresh.amount), num(old.amount)), shareOf(end - change, end - begin)));
      const moved = (by: bigint, of: typeof old): string[] => (by > 0n ? [given(period, of, shownMoney(by), change)] : []);
      const lived = Array.from({ length: period + 1 }, (_, n) => given(n, old));
      const after = comesBack ? old : fresh;
      const expected = [...lived, ...moved(gain, fresh), ...(comesBack ? moved(-gain, old) : []), given(period + 1, after)];
      const { grants, creditsBack } = story.ledger;
      const made = grants.map(
        ({ amount, effectiveAt, expiresAt, rollover }) =>
          `${amount} ${iso(effectiveAt)} ${iso(expiresAt ?? 0)} ${rollover?.maximum ?? null} ${rollover === null ? null : iso(rollover.until)}`,
      );
      expect(made).toEqual(expected);
      const size = shownMoney(gain < 0n ? -gain : gain);
      const isBack = gain < 0n || (comesBack && gain > 0n);
      expect(creditsBack.map(({ amount, since }) => [amount, since])).toEqual(isBack ? [[size, begin]] : []);
    }),
    runs(),
  );
});
