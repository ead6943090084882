import type { z } from 'zod';
import type { Alert, AlertRequest } from '../schema/usage-alert.ts';
import { ids } from './ids.ts';

/** Announces 8,000 and 10,000 calls in a usage period. */
export const exampleAlertRequest = { on: 'usage', feature_slug: 'calls', at: [8_000, '10000'] } satisfies z.input<typeof AlertRequest>;

export const exampleAlert = {
  id: ids.alert,
  on: 'usage',
  feature_slug: 'calls',
  at: ['8000', '10000'],
  created: '2026-06-11T00:00:00.000Z',
} satisfies z.input<typeof Alert>;
