import type { z } from 'zod';
import type { Limit, LimitRequest } from '../schema/usage-limit.ts';
import { ids } from './ids.ts';

/** At most 10,000 calls in a usage period. */
export const exampleLimitRequest = {
  feature_slug: 'calls',
  units: '10000',
  window: 'period',
  action: 'refuse',
} satisfies z.input<typeof LimitRequest>;

export const exampleLimit = {
  id: ids.limit,
  feature_slug: 'calls',
  units: '10000',
  amount: null,
  window: 'period',
  action: 'refuse',
  created: '2026-06-11T00:00:00.000Z',
} satisfies z.input<typeof Limit>;
