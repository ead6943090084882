import { at, iso } from '../../../billing/calendar/instant.ts';
import { afterDecline, type TopUpBrake, topUpStep } from '../../../billing/credit/top-up.ts';

const none: TopUpBrake = { declines: 0, pausedUntil: null, stoppedAt: null };

/** The brake after declines on these days. */
const declinedOn = (...days: string[]): TopUpBrake => days.reduce((brake, day) => afterDecline(brake, at(day)), none);

describe('a declined top-up', () => {
  it('waits a day after the first and the second decline', () => {
    expect(declinedOn('2025-01-20')).toEqual({ declines: 1, pausedUntil: at('2025-01-21'), stoppedAt: null });
    expect(declinedOn('2025-01-20', '2025-01-21')).toEqual({ declines: 2, pausedUntil: at('2025-01-22'), stoppedAt: null });
  });

  it('stops at the third, and keeps that instant after a fourth that was under way', () => {
    const stopped = declinedOn('2025-01-20', '2025-01-21', '2025-01-22', '2025-01-25').stoppedAt;
    expect(stopped === null ? null : iso(stopped)).toBe('2025-01-22T00:00:00.000Z');
  });

  it('buys nothing while it is stopped, and 50 again when it is not', () => {
    const facts = { below: '10', price: '50', atMostPerMonth: '100', live: '0', spent: [], isOpen: false };
    const brake = declinedOn('2025-01-20', '2025-01-21', '2025-01-22');
    expect(topUpStep({ ...facts, ...brake }, at('2025-01-30'))).toEqual({ type: 'nothing' });
    expect(topUpStep({ ...facts, ...brake, stoppedAt: null }, at('2025-01-30'))).toEqual({ type: 'buy' });
    expect(topUpStep({ ...facts, ...brake, stoppedAt: null }, at('2025-01-22'))).toEqual({ type: 'wait', until: at('2025-01-23') });
  });
});
