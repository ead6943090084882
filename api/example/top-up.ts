import type { z } from 'zod';
import type { TopUp, TopUpRequest } from '../schema/top-up.ts';
import { ids } from './ids.ts';

/** 50.00 whenever less than 10.00 are left, at most four times a month. */
export const exampleTopUpRequest = {
  currency: 'usd',
  below: '10.00',
  amount: '50.00',
  price: '45.00',
  at_most_per_month: '180.00',
} satisfies z.input<typeof TopUpRequest>;

export const exampleTopUp = {
  ...{ id: ids.topUp, currency: 'usd', below: '10.00', amount: '50.00', price: '45.00' },
  ...{
    at_most_per_month: '180.00',
    paused_until: null,
    status: 'active',
    stopped_reason: null,
    stopped_at: null,
    created: '2026-06-11T00:00:00.000Z',
  },
} satisfies z.input<typeof TopUp>;
