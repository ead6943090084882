import { type AnyJson, api as callsOf } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { eventCount } from '../support/runs.ts';
import { secondApi } from '../support/second-api.ts';
import { limitedVendor, REACHED } from './limited-calls.ts';
import { planBody, signedContract } from './support.ts';

/** In the long form a thousand. */
const CHECKS = eventCount(200);

describe('a check and a reservation', () => {
  const { api, calls, vendor } = limitedVendor();

  const reserve = (customer: string, units: string, seconds = 3_600): Promise<AnyJson> =>
    calls.check(customer, units, { reserve_seconds: seconds });
  const release = (id: string) => api.post(`/v1/c/reservation/${id}/release`, {});
  const over = { status: 409, body: { code: 'reservation_ended' } };

  it('say without a limit what is used, and with one of 10 what is left: 6 used, 3 reserved, 1 remains', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-01T00:00:00Z');
    await clock.advanceTo('2025-06-10T12:30:00Z');
    await calls.report(customerId, '6');
    expect(await calls.check(customerId, '1000000')).toEqual({
      ...{ allowed: true, reason: null, limit: null, limit_id: null, used: '6', reserved: '0', remaining: null },
      resets_at: '2025-07-01T00:00:00.000Z',
    });
    const id = await calls.limit(customerId, { units: '10' });
    const kept = await reserve(customerId, '3');
    expect(kept).toMatchObject({ allowed: true, limit: '10', limit_id: id, used: '6', reserved: '3', remaining: '1' });
    expect(kept.expires).toBe('2025-06-10T13:30:00.000Z');
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: true, remaining: '1' });
    expect(await calls.check(customerId, '2')).toMatchObject({
      allowed: false,
      reason: 'limit_reached',
      limit: '10',
      used: '6',
      reserved: '3',
    });
    expect(await reserve(customerId, '2')).not.toHaveProperty('reservation');
    const day = await calls.limit(customerId, { units: '9', window: 'day' });
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: false, limit_id: day, resets_at: '2025-06-11T00:00:00.000Z' });
  });

  it(`of 1 against 100 are kept 100 times of ${CHECKS} at once, over two processes, and usage finds no room beside them`, async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '100' });
    const second = await secondApi();
    try {
      const other = callsOf(vendor.apiKey, second.baseUrl);
      const path = `/v1/c/entitlement/${customerId}/check`;
      const body = { feature_slug: 'calls', units: '1', reserve_seconds: 3_600 };
      const answers = await Promise.all(Array.from({ length: CHECKS }, (_, n) => (n % 2 === 0 ? api : other).made<AnyJson>(path, body)));
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(100);
      expect(new Set(answers.flatMap(({ reservation }) => reservation ?? [])).size).toBe(100);
      expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
      const kept = answers.flatMap(({ reservation }) => reservation ?? []);
      const used = await Promise.all(kept.slice(0, 60).map((id: string) => calls.confirm(id)));
      expect(used.map(({ status }) => status)).toEqual(used.map(() => 200));
      expect(await calls.check(customerId, '0')).toMatchObject({ used: '60', reserved: '40', remaining: '0' });
    } finally {
      await second.stop();
    }
  });

  it('keep nothing past their time though the process that made them was killed', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '10' });
    const second = await secondApi();
    const body = { feature_slug: 'calls', units: '1', reserve_seconds: 2 };
    const path = `/v1/c/entitlement/${customerId}/check`;
    const other = callsOf(vendor.apiKey, second.baseUrl);
    await other.made(path, { ...body, units: '8' });
    const under = Array.from({ length: 50 }, () => other.post(path, body).catch(() => null));
    await second.kill();
    await Promise.all(under);
    await eventually(async () =>
      expect(await calls.check(customerId, '10')).toMatchObject({ allowed: true, reserved: '0', remaining: '10' }),
    );
  });

  it('become an event of their own instant, with what was used; the rest is free, and a repeat gives the same event', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-10T23:30:00Z');
    await calls.limit(customerId, { units: '10', window: 'day' });
    await calls.report(customerId, '1');
    const { reservation } = await reserve(customerId, '8', 7_200);
    expect(await calls.report(customerId, '2')).toMatchObject(REACHED);
    await clock.advanceTo('2025-06-11T00:30:00Z');
    expect(await calls.confirm(reservation, { units: '9' })).toMatchObject({ status: 400 });
    const { status, body: event } = await calls.confirm(reservation, { units: '5' });
    expect(status).toBe(200);
    expect((await calls.confirm(reservation, { units: '5' })).body).toBe(event);
    expect(await calls.confirm(reservation, { units: '4' })).toMatchObject(over);
    expect(await release(reservation)).toMatchObject(over);
    const { hits } = await api.read(`/v1/c/usage?customer=${customerId}`);
    expect(hits).toMatchObject([{ units: '1' }, { id: event, units: '5', timestamp: '2025-06-10T23:30:00.000Z' }]);
    expect(await calls.report(customerId, '5', { timestamp: '2025-06-10T23:45:00Z' })).toMatchObject(REACHED);
    expect(await calls.report(customerId, '4', { timestamp: '2025-06-10T23:45:00Z' })).toMatchObject({ status: 200 });
  });

  it('end by themselves and when they are released: the units are free at that very instant', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-10T00:00:00Z');
    await calls.limit(customerId, { units: '10' });
    const first = await reserve(customerId, '10', 60);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-06-10T00:00:59Z');
    expect(await reserve(customerId, '1')).toMatchObject({ allowed: false });
    await clock.advanceTo('2025-06-10T00:01:00Z');
    expect(await calls.confirm(first.reservation)).toMatchObject(over);
    const second = await reserve(customerId, '10', 60);
    expect(second).toMatchObject({ allowed: true });
    for (let n = 0; n < 2; n += 1) expect(await release(second.reservation)).toMatchObject({ status: 200 });
    expect(await calls.confirm(second.reservation)).toMatchObject(over);
    expect(await calls.report(customerId, '10')).toMatchObject({ status: 200 });
  });

  it('are kept through a change of plan, a lower limit and a closed period, and count where they were made', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-30T12:00:00Z');
    const id = await calls.limit(customerId, { units: '10' });
    const [kept, late] = [await reserve(customerId, '4', 80_000), await reserve(customerId, '3', 80_000)];
    const plan = await api.made('/v1/c/plan', planBody(`other-${customerId.slice(-6)}`, '99'));
    await api.made(`/v1/c/contract/${contractId}/upgrade`, { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: plan } });
    expect(await calls.report(customerId, '4')).toMatchObject(REACHED);
    await calls.limit(customerId, { units: '1' });
    expect(await calls.confirm(kept.reservation)).toMatchObject({ status: 200 });
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: false, used: '4', reserved: '3' });
    await api.made(`/v1/c/customer/${customerId}/limit/${id}/delete`, {});
    await clock.advanceTo('2025-07-30T12:00:00Z');
    await calls.report(customerId, '1');
    expect(await calls.confirm(late.reservation)).toMatchObject(over);
  });

  it('of money are refused where the open usage would come to more: two packs of 100 at 2.95 under 6.00', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { feature_slug: null, amount: '6.00' });
    const money = { limit: '6.00', currency: 'usd', used: '0.00', reserved: '5.90', remaining: '0.10' };
    expect(await reserve(customerId, '150')).toMatchObject({ ...money, allowed: true });
    expect(await reserve(customerId, '51')).toMatchObject({ ...money, allowed: false, reason: 'limit_reached' });
    expect(await calls.report(customerId, '51')).toMatchObject(REACHED);
    await calls.limit(customerId, { units: '1000' });
    const units = { limit: '1000', used: '0', reserved: '200', remaining: '800' };
    const inUnits = await reserve(customerId, '50');
    expect(inUnits).toMatchObject({ ...units, allowed: true });
    expect(inUnits).not.toHaveProperty('currency');
    expect(await reserve(customerId, '1')).toMatchObject({ ...money, allowed: false });
  });

  it('say why not: a frozen customer, a feature that nobody sold it or that its plan turns off', async () => {
    const { customerId } = await signedContract(vendor);
    expect(await calls.check(customerId, '1', { feature_slug: 'sso' })).toMatchObject({ allowed: true, limit: null });
    expect(await calls.check(customerId, '1', { feature_slug: 'nothing' })).toMatchObject({
      allowed: false,
      reason: 'feature_not_included',
    });
    const path = `/v1/c/entitlement/${customerId}/check`;
    expect(await api.post(path, { feature_slug: 'sso', units: '1', reserve_seconds: 5 })).toMatchObject({
      status: 400,
      body: { code: 'feature_not_usage_priced' },
    });
    expect(await api.post(path, { feature_slug: 'calls', units: '1', reserve_seconds: 86_401 })).toMatchObject({ status: 400 });
    const { reservation } = await reserve(customerId, '1');
    expect(reservation).toMatch(/^Rsv_/);
    await api.made(`/v1/c/customer/${customerId}/inactivate`, {});
    expect(await calls.check(customerId, '1')).toMatchObject({ allowed: false, reason: 'customer_frozen' });
    const frozen = { status: 409, body: { code: 'customer_frozen' } };
    expect(await calls.confirm(reservation)).toMatchObject(frozen);
    expect(await release(reservation)).toMatchObject(frozen);
  });

  it('tell of an erased customer that it is erased', async () => {
    const id: string = await api.made('/v1/c/customer', { name: 'Gone' });
    await api.made(`/v1/c/customer/${id}/erase`, {});
    expect(await calls.check(id, '1')).toMatchObject({ allowed: false, reason: 'customer_erased' });
  });
});
