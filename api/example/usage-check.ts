import type { z } from 'zod';
import type { CheckRequest, UsageCheck } from '../schema/usage-check.ts';
import { ids } from './ids.ts';

export const exampleCheckRequest = { feature_slug: 'calls', units: '20', reserve_seconds: 60 } satisfies z.input<typeof CheckRequest>;

/** 20 calls are kept for a minute; no limit is set. */
export const exampleCheck = {
  allowed: true,
  reason: null,
  limit: null,
  limit_id: null,
  used: '40',
  reserved: '20',
  remaining: null,
  resets_at: '2026-07-01T00:00:00.000Z',
  reservation: ids.reservation,
  expires: '2026-06-11T00:01:00.000Z',
} satisfies z.input<typeof UsageCheck>;
