import type { AnyJson, TestResponse } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import type { TestVendor } from '../support/vendor.ts';
import { signedContract } from './support.ts';

/** Usage over a limit. */
export const REACHED = { status: 409, body: { code: 'limit_reached' } };

/** Limits, checks and reports of the feature `calls` as a vendor makes them. */
export function limitedCalls(vendor: TestVendor) {
  const { api } = vendor;
  return {
    limit: (customer: string, more: AnyJson): Promise<string> =>
      api.made(`/v1/c/customer/${customer}/limit`, { feature_slug: 'calls', window: 'period', action: 'refuse', ...more }),
    check: (customer: string, units: string, more: AnyJson = {}): Promise<AnyJson> =>
      api.made(`/v1/c/entitlement/${customer}/check`, { feature_slug: 'calls', units, ...more }),
    confirm: (id: string, body: AnyJson = {}): Promise<TestResponse> => api.post(`/v1/c/reservation/${id}/confirm`, body),
    report: (customer: string, units: string, more: AnyJson = {}): Promise<TestResponse> =>
      api.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units, ...more }),
    onClock: async (iso: string): Promise<{ clock: ClockHandle; contractId: string; customerId: string }> => {
      const clock = await clockOf(vendor, iso);
      return { clock, ...(await signedContract(vendor, { test_clock: clock.id })) };
    },
  };
}
