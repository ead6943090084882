import { baseOf, stepsReached } from '../../../billing/usage/alert.ts';
import type { UsageLimit } from '../../../billing/usage/limit.ts';

const limit = (more: Partial<UsageLimit>): UsageLimit => ({
  ...{ id: 'Limit_1', customerId: 'Cust_1', slug: 'calls', units: null, amount: null },
  ...{ window: 'period', action: 'refuse' },
  ...more,
});

describe('the steps of an alert', () => {
  const alert = { source: 'alert', on: 'usage', steps: ['10', '50%', '2.5'] } as const;

  it('are reached at their level, the lowest first', () => {
    expect(stepsReached(alert, '2.499', '10')).toEqual([]);
    expect(stepsReached(alert, '5', '10')).toEqual([
      { step: '2.5', level: '2.5' },
      { step: '50%', level: '5' },
    ]);
    expect(stepsReached(alert, '10.0', '10').map(({ step }) => step)).toEqual(['2.5', '50%', '10']);
  });

  it('of 33.3% of 10 have the level 3.33, and of nothing none', () => {
    expect(stepsReached({ ...alert, steps: ['33.3%'] }, '3.33', '10')).toEqual([{ step: '33.3%', level: '3.33' }]);
    expect(stepsReached({ ...alert, steps: ['33.3%'] }, '1000', null)).toEqual([]);
  });

  it('of a limit that tells are passed above it, not at it', () => {
    expect(stepsReached({ source: 'limit', on: 'spend', steps: ['10'] }, '10', null)).toEqual([]);
    expect(stepsReached({ source: 'limit', on: 'spend', steps: ['10'] }, '10.001', null)).toEqual([{ step: '10', level: '10' }]);
  });
});

describe('the steps of a balance', () => {
  const alert = { source: 'alert', on: 'balance', steps: ['0', '20', '5'] } as const;

  it('are reached when it has fallen to them, the highest first', () => {
    expect(stepsReached(alert, '20.01', null)).toEqual([]);
    expect(stepsReached(alert, '20.00', null).map(({ step }) => step)).toEqual(['20']);
    expect(stepsReached(alert, '-3', null).map(({ step }) => step)).toEqual(['20', '5', '0']);
  });
});

describe('what a percentage is of', () => {
  const limits = [
    limit({ units: '90' }),
    limit({ units: '80', action: 'tell' }),
    limit({ units: '5', window: 'day' }),
    limit({ units: '7', slug: 'seats' }),
    limit({ amount: '20' }),
    limit({ amount: '15', slug: null }),
  ];

  it('is the lowest limit that counts the same over the usage period, before maximum_units', () => {
    expect(baseOf({ on: 'usage', slug: 'calls' }, limits, '50')).toBe('80');
    expect(baseOf({ on: 'spend', slug: 'calls' }, limits, '50')).toBe('20');
    expect(baseOf({ on: 'spend', slug: null }, limits, null)).toBe('15');
  });

  it('is maximum_units without such a limit, for units alone', () => {
    expect(baseOf({ on: 'usage', slug: 'mails' }, limits, '50')).toBe('50');
    expect(baseOf({ on: 'usage', slug: 'mails' }, limits, null)).toBeNull();
    expect(baseOf({ on: 'spend', slug: 'mails' }, limits, '50')).toBeNull();
  });
});
