import { DAY, HOUR, MINUTE } from '../../../billing/calendar/instant.ts';
import { loadConfig } from '../../../config/config.ts';
import { nextTryAt } from '../../../services/webhook/retry.ts';

const SECOND = 1_000;

const given = {
  DATABASE_URL: 'postgres://perennial:pw@localhost:5432/perennial',
  TEMPORAL_ADDRESS: 'localhost:7233',
  PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
};
const scheduleOf = (env: Record<string, string> = {}) => {
  const { retryPauses, giveUpAfter } = loadConfig({ ...given, ...env }).webhooks;
  return { pauses: retryPauses, giveUpAfter };
};

describe('an event that an endpoint does not take', () => {
  it('is tried after 5 s, 30 s, 2 min, 10 min, 1 h, then every 6 h up to 3 days, 17 times in all', () => {
    const schedule = scheduleOf();
    const pauses: number[] = [];
    for (let now = 0, failures = 1; ; failures += 1) {
      const next = nextTryAt(schedule, failures, { failingSince: 0, now });
      if (next === null) break;
      pauses.push(next - now);
      now = next;
    }
    expect(pauses.slice(0, 6)).toEqual([5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]);
    expect(new Set(pauses.slice(5))).toEqual(new Set([6 * HOUR]));
    expect(pauses.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(3 * DAY);
    expect(pauses.reduce((sum, one) => sum + one) + 6 * HOUR).toBeGreaterThan(3 * DAY);
    expect(pauses).toHaveLength(16);
  });

  it('follows the schedule of the settings', () => {
    expect(scheduleOf({ WEBHOOK_RETRY_PAUSES: '100ms, 2m', WEBHOOK_GIVE_UP_AFTER: '1h' })).toEqual({
      pauses: [100, 2 * MINUTE],
      giveUpAfter: HOUR,
    });
    for (const wrong of ['5', '5 s', 's', '1w', '5s,,2m'])
      expect(() => scheduleOf({ WEBHOOK_RETRY_PAUSES: wrong })).toThrow('WEBHOOK_RETRY_PAUSES: must be numbers with units');
  });
});
