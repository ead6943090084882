import type { AnyJson } from '../support/api.ts';
import { eventCount } from '../support/runs.ts';
import { limitedVendor, REACHED } from './limited-calls.ts';
import { feedback, planBody, signedContract, withScope } from './support.ts';

/** In the long form a thousand. */
const EVENTS = eventCount(200);

describe('a limit on usage', () => {
  const { api, calls, vendor } = limitedVendor();

  const taken = { status: 200 };
  const used = async (customer: string): Promise<string> => {
    const { plan } = await api.read(`/v1/c/entitlement/${customer}/access`);
    return plan.features.find(({ slug }: AnyJson) => slug === 'calls').entitlement_details.used_unit_count;
  };

  it('of 10 takes 6 and 4, refuses 5 between them and 1 after them, and holds for no other feature or customer', async () => {
    const { customerId } = await signedContract(vendor);
    const other = await signedContract(vendor);
    await calls.limit(customerId, { units: '10' });
    expect(await calls.report(customerId, '6')).toMatchObject(taken);
    const refused = await calls.report(customerId, '5');
    expect(refused).toMatchObject(REACHED);
    expect(feedback(refused)).toEqual({ units: 'would pass the limit of 10 in a usage period' });
    expect(await calls.report(customerId, '4')).toMatchObject(taken);
    expect(await calls.report(customerId, '0.001')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '0')).toMatchObject(taken);
    expect(await used(customerId)).toBe('10');
    expect(await calls.report(customerId, '99', { feature_slug: 'seats' })).toMatchObject(taken);
    expect(await calls.report(other.customerId, '99')).toMatchObject(taken);
  });

  it('answers each entry of a batch by itself: of 4, 4, 3, 2 under 10 only the third is refused', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '10' });
    const batch = ['4', '4', '3', '2'].map((units) => ({ customer_id: customerId, feature_slug: 'calls', units }));
    expect(await api.made('/v1/c/usage/bulk', batch)).toMatchObject([{ index: 2, status: 409, code: 'limit_reached' }]);
    expect(await used(customerId)).toBe('10');
  });

  it(`of 50 takes exactly 50 of ${EVENTS} events of 1 that are reported at once`, async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '50' });
    const responses = await Promise.all(Array.from({ length: EVENTS }, () => calls.report(customerId, '1')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(responses.filter(({ body }) => body?.code === 'limit_reached')).toHaveLength(EVENTS - 50);
    expect(await used(customerId)).toBe('50');
  });

  it('that is set while 200 events come is passed by none that is answered after it', async () => {
    const { customerId } = await signedContract(vendor);
    const before = Array.from({ length: 100 }, () => calls.report(customerId, '1'));
    const set = calls.limit(customerId, { units: '20' });
    const during = Array.from({ length: 100 }, () => calls.report(customerId, '1'));
    await Promise.all([...before, set, ...during]);
    const counted = Number(await used(customerId));
    expect(counted).toBeGreaterThanOrEqual(20);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    expect(Number(await used(customerId))).toBe(counted);
  });

  it('lets a repeat under a key succeed when it is reached, and counts it once', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '5' });
    const entry = { customer_id: customerId, feature_slug: 'calls', units: '5', idempotency_key: `limited-${customerId}` };
    expect(
      await api.made('/v1/c/usage/bulk', [entry, entry, { ...entry, units: '1', idempotency_key: `other-${customerId}` }]),
    ).toMatchObject([{ index: 2, code: 'limit_reached' }]);
    expect(await api.made('/v1/c/usage/bulk', [entry])).toEqual([]);
    expect(await used(customerId)).toBe('5');
  });

  it('has room again where usage is amended or discarded, and refuses an amendment that passes it', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '10', window: 'day' });
    await calls.limit(customerId, { units: '10' });
    const { body: first } = await calls.report(customerId, '8');
    const { body: second } = await calls.report(customerId, '2');
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await api.made(`/v1/c/usage/${first}/amend`, { units: '6' });
    expect(await calls.report(customerId, '2')).toMatchObject(taken);
    expect(await api.post(`/v1/c/usage/${first}/amend`, { units: '7' })).toMatchObject(REACHED);
    await api.made(`/v1/c/usage/${second}/discard`);
    expect(await api.post(`/v1/c/usage/${first}/amend`, { units: '8' })).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    expect(await used(customerId)).toBe('10');
  });

  it('below what is used already refuses a report and a check of nothing too', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.report(customerId, '62');
    await calls.limit(customerId, { units: '50' });
    expect(await calls.report(customerId, '0')).toMatchObject(REACHED);
    expect(await calls.check(customerId, '0')).toMatchObject({ allowed: false, reason: 'limit_reached', used: '62', remaining: '0' });
  });

  it('decides what comes before a marker in one request before the marker, each time', async () => {
    const outcomes = Array.from({ length: 12 }, async () => {
      const { customerId } = await signedContract(vendor);
      await calls.report(customerId, '18');
      await calls.limit(customerId, { units: '20' });
      const event = { customer_id: customerId, feature_slug: 'calls' };
      const feedback = await api.made<AnyJson[]>('/v1/c/usage/bulk', [
        { ...event, units: '10' },
        { ...event, units: '0', is_absolute: true },
        { ...event, units: '5' },
      ]);
      return [feedback.map(({ index, code }) => `${index} ${code}`), await used(customerId)];
    });
    expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => [['0 limit_reached'], '5']));
  });

  it('decides what comes behind a marker in one request behind it, also where it is dated', async () => {
    const { customerId, clock } = await calls.onClock('2025-06-01T00:00:00Z');
    await calls.report(customerId, '18');
    await calls.limit(customerId, { units: '20' });
    await clock.advanceTo('2025-06-02T12:00:00Z');
    const event = { customer_id: customerId, feature_slug: 'calls' };
    const marker = { ...event, units: '0', is_absolute: true, timestamp: '2025-06-02T10:00:00Z' };
    expect(await api.made('/v1/c/usage/bulk', [marker, { ...event, units: '5', timestamp: '2025-06-02T10:01:00Z' }])).toEqual([]);
    expect(await used(customerId)).toBe('5');
  });

  it('counts markers: one above it is refused, and behind one of 7 under 10 there is room for 3', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { units: '10' });
    await calls.limit(customerId, { units: '10', window: 'hour' });
    await calls.report(customerId, '9');
    expect(await calls.report(customerId, '11', { is_absolute: true })).toMatchObject(REACHED);
    expect(await calls.report(customerId, '7', { is_absolute: true })).toMatchObject(taken);
    expect(await calls.report(customerId, '4')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '3')).toMatchObject(taken);
    expect(await used(customerId)).toBe('10');
  });

  it('of a usage period begins again at the rollover, and goes on through a change and a freeze', async () => {
    const { clock, customerId, contractId } = await calls.onClock('2025-06-01T00:00:00Z');
    await calls.limit(customerId, { units: '10' });
    expect(await calls.report(customerId, '10')).toMatchObject(taken);
    await clock.advanceTo('2025-07-01T00:00:00Z');
    expect(await calls.report(customerId, '4')).toMatchObject(taken);
    await clock.advanceTo('2025-07-10T00:00:00Z');
    const plan = await api.made('/v1/c/plan', planBody(`bigger-${customerId.slice(-6)}`, '99'));
    const upgrade = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: plan } };
    await api.made(`/v1/c/contract/${contractId}/upgrade`, upgrade);
    expect(await calls.report(customerId, '7')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '5')).toMatchObject(taken);
    await api.made(`/v1/c/customer/${customerId}/inactivate`, {});
    expect(await calls.report(customerId, '1')).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
    await clock.advanceTo('2025-07-20T00:00:00Z');
    await api.made(`/v1/c/customer/${customerId}/activate`, {});
    expect(await calls.report(customerId, '2')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
    expect(await calls.report(customerId, '1', { timestamp: '2025-07-09T00:00:00Z' })).toMatchObject(REACHED);
  });

  it('of a day and an hour is that of the timestamp in UTC: late usage counts where it belongs', async () => {
    const { clock, customerId } = await calls.onClock('2025-06-10T23:30:00Z');
    await calls.report(customerId, '3');
    await calls.limit(customerId, { units: '10', window: 'day' });
    await calls.limit(customerId, { units: '5', window: 'hour' });
    expect(await calls.report(customerId, '3')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '2')).toMatchObject(taken);
    await clock.advanceTo('2025-06-11T00:00:00Z');
    expect(await calls.report(customerId, '5')).toMatchObject(taken);
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '1', { timestamp: '2025-06-10T23:59:59Z' })).toMatchObject(REACHED);
    await clock.advanceTo('2025-06-11T01:00:00Z');
    expect(await calls.report(customerId, '5')).toMatchObject(taken);
    await clock.advanceTo('2025-06-11T02:00:00Z');
    expect(await calls.report(customerId, '1')).toMatchObject(REACHED);
    await clock.advanceTo('2025-06-12T00:00:00Z');
    expect(await calls.report(customerId, '1')).toMatchObject(taken);
  });

  it('of money is on what the open usage comes to: packs of 100 at 2.95 under 6.00 make two packs', async () => {
    const { customerId } = await signedContract(vendor);
    await calls.limit(customerId, { feature_slug: null, amount: '6.00' });
    expect(await calls.report(customerId, '150')).toMatchObject(taken);
    expect(await calls.report(customerId, '51')).toMatchObject(REACHED);
    expect(await calls.report(customerId, '50')).toMatchObject(taken);
    const once = Array.from({ length: 10 }, () => calls.report(customerId, '1'));
    expect((await Promise.all(once)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 409));
    expect(await used(customerId)).toBe('200');
  });

  it('is listed, and holds no more once it is deleted', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await calls.limit(customerId, { units: '1' });
    const day = await calls.limit(customerId, { units: '5', window: 'day' });
    const { hits } = await api.read(`/v1/c/customer/${customerId}/limit`);
    expect(hits).toMatchObject([
      { id, feature_slug: 'calls', units: '1', amount: null, window: 'period', action: 'refuse' },
      { id: day, units: '5', window: 'day' },
    ]);
    expect(await calls.report(customerId, '2')).toMatchObject(REACHED);
    expect(await api.made(`/v1/c/customer/${customerId}/limit/${id}/delete`)).toBe(id);
    expect(await calls.report(customerId, '2')).toMatchObject(taken);
    expect(await calls.report(customerId, '4')).toMatchObject(REACHED);
    await api.made(`/v1/c/customer/${customerId}/limit/${day}/delete`, {});
    expect(await calls.report(customerId, '100')).toMatchObject(taken);
    expect(await api.post(`/v1/c/customer/${customerId}/limit/${day}/delete`, {})).toMatchObject({
      status: 404,
      body: { code: 'limit_not_found' },
    });
    expect((await api.read(`/v1/c/customer/${customerId}/limit`)).hits).toEqual([]);
  });

  it('is refused where it says nothing exact, and to a customer that is frozen', async () => {
    const { customerId } = await signedContract(vendor);
    const path = `/v1/c/customer/${customerId}/limit`;
    const whole = { feature_slug: 'calls', window: 'period', action: 'refuse' };
    const wrong = [
      whole,
      { ...whole, units: '1', amount: '1' },
      { ...whole, feature_slug: null, units: '1' },
      { ...whole, amount: '1', window: 'day' },
      { ...whole, units: '-1' },
      { ...whole, units: '1', window: 'week' },
    ];
    expect((await Promise.all(wrong.map((body) => api.post(path, body)))).map(({ status }) => status)).toEqual(wrong.map(() => 400));
    const reporter = await withScope(vendor, 'usage');
    expect(await reporter.post(path, { ...whole, units: '1' })).toMatchObject({ status: 403 });
    await api.made(`/v1/c/customer/${customerId}/inactivate`, {});
    expect(await api.post(path, { ...whole, units: '1' })).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
  });

  it('is in the audit log, set and deleted, and repeats under an Idempotency-Key', async () => {
    const { customerId } = await signedContract(vendor);
    const key = { 'idempotency-key': `limit-${customerId}` };
    const body = { feature_slug: 'calls', units: '1', window: 'period', action: 'refuse' };
    const id = await api.made(`/v1/c/customer/${customerId}/limit`, body, key);
    expect(await api.made(`/v1/c/customer/${customerId}/limit`, body, key)).toBe(id);
    expect((await api.read(`/v1/c/customer/${customerId}/limit`)).total).toBe(1);
    await api.made(`/v1/c/customer/${customerId}/limit/${id}/delete`, {});
    const entries = async (object: string): Promise<AnyJson[]> => (await api.read(`/v1/c/audit?object=${object}`)).hits;
    expect((await entries(customerId)).map(({ action }) => action)).toContain('set_usage_limit');
    expect(await entries(id)).toEqual([expect.objectContaining({ action: 'delete_usage_limit', before: body, after: null })]);
  });
});
