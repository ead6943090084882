import { at } from '../../../billing/calendar/instant.ts';
import { retryAt } from '../../../billing/payment/retry.ts';

const first = at('2025-01-01');
const failed = (failures: number, more: object = {}) => ({
  firstFailure: first,
  failures,
  retryDays: [1, 3, 5, 7],
  givenUp: false,
  ...more,
});

describe('a failed payment', () => {
  it('of 1 January is tried again on the 2nd, 4th, 6th and 8th, then no more', () => {
    expect([1, 2, 3, 4, 5].map((failures) => retryAt(failed(failures), []))).toEqual([
      ...['2025-01-02', '2025-01-04', '2025-01-06', '2025-01-08'].map((day) => at(day)),
      null,
    ]);
  });

  it('that trying again can’t mend is not tried again, nor without retry days', () => {
    expect(retryAt(failed(1, { givenUp: true }), [])).toBeNull();
    expect(retryAt(failed(1, { retryDays: [] }), [])).toBeNull();
  });

  it('waits for frozen time after it: 3 to 13 January moves the 4th to the 14th', () => {
    const freeze = { from: at('2025-01-03'), to: at('2025-01-13') };
    expect(retryAt(failed(2), [{ from: at('2024-12-01'), to: at('2024-12-31') }, freeze])).toBe(at('2025-01-14'));
    expect(retryAt(failed(1), [freeze])).toBe(at('2025-01-02'));
  });

  it('within a freeze of 30 December to 11 January is tried again one running day later, on the 12th', () => {
    expect(retryAt(failed(1), [{ from: at('2024-12-30'), to: at('2025-01-11') }])).toBe(at('2025-01-12'));
    expect(retryAt(failed(1), [{ from: at('2024-12-30'), to: null }])).toBeNull();
  });
});
