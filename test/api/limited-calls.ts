import type { AnyJson, Api, TestResponse } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, signedContract } from './support.ts';

/** Usage over a limit. */
export const REACHED = { status: 409, body: { code: 'limit_reached' } };

/** A vendor of all tests of a block, with its calls; it is there once the first of them runs. */
export function limitedVendor(): { vendor: TestVendor; api: Api; calls: ReturnType<typeof limitedCalls> } {
  let made: TestVendor | undefined;
  beforeAll(async () => {
    made = await checkedVendor();
  });
  const vendor = new Proxy({} as TestVendor, { get: (_, name) => Reflect.get(made ?? {}, name) });
  const api = new Proxy({} as Api, { get: (_, name) => Reflect.get(vendor.api, name) });
  return { vendor, api, calls: limitedCalls(vendor) };
}

/** Limits, checks and reports of the feature `calls` as a vendor makes them. */
export function limitedCalls(vendor: TestVendor) {
  return {
    limit: (customer: string, more: AnyJson): Promise<string> =>
      vendor.api.made(`/v1/c/customer/${customer}/limit`, { feature_slug: 'calls', window: 'period', action: 'refuse', ...more }),
    check: (customer: string, units: string, more: AnyJson = {}): Promise<AnyJson> =>
      vendor.api.made(`/v1/c/entitlement/${customer}/check`, { feature_slug: 'calls', units, ...more }),
    confirm: (id: string, body: AnyJson = {}): Promise<TestResponse> => vendor.api.post(`/v1/c/reservation/${id}/confirm`, body),
    report: (customer: string, units: string, more: AnyJson = {}): Promise<TestResponse> =>
      vendor.api.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units, ...more }),
    onClock: async (iso: string, customer: AnyJson = {}): Promise<{ clock: ClockHandle; contractId: string; customerId: string }> => {
      const clock = await clockOf(vendor, iso);
      return { clock, ...(await signedContract(vendor, { ...customer, test_clock: clock.id })) };
    },
  };
}
