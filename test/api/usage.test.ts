import type { AnyJson, Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { checkedVendor, signedContract, withScope } from './support.ts';

describe('usage', () => {
  let vendor: TestVendor;
  let api: Api;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });
  const used = async (contract: string, idx = 1): Promise<string> =>
    (await api.read(`/v1/c/contract/${contract}/usage_period`)).hits.find((period: AnyJson) => period.idx === idx).features[0].units_used;

  it('is summed and can be read at once in the contract, its period and the entitlement', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const event = { customer_id: customerId, feature_slug: 'calls' };
    await api.made('/v1/c/usage', { ...event, units: '100.5' });
    await api.made('/v1/c/usage', { ...event, units: 0.25, metadata: { host: 'ä' } });
    expect(await used(contractId)).toBe('100.75');
    const [period] = (await api.read(`/v1/c/contract/${contractId}/usage_period`)).hits;
    expect(period).toMatchObject({ status: 'open', features: [{ feature_slug: 'calls', units_charged: '200', amount: '5.90' }] });
    const { plan } = await api.read(`/v1/c/entitlement/${customerId}/access`);
    expect(plan.features[1].entitlement_details).toEqual({
      pricing_strategy: 'usage',
      over_usage_charge_strategy: 'extra_usage_overcharge',
      unit_name: 'call',
      used_unit_count: '100.75',
      minimum_units: null,
      maximum_units: null,
    });
  });

  it('reported twice under one key counts once; another event under the key is a 409', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const event = { customer_id: customerId, feature_slug: 'calls', units: '5' };
    const key = { 'idempotency-key': 'report-1' };
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.made('/v1/c/usage', event, key)));
    expect(new Set(ids).size).toBe(1);
    for (const other of [{ units: '6' }, { metadata: { host: 'b' } }]) {
      expect(await api.post('/v1/c/usage', { ...event, ...other }, key)).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
    }
    expect(await api.made('/v1/c/usage/bulk', [{ ...event, idempotency_key: 'report-1' }])).toEqual([]);
    const value = 'the key was used for another event; a new event needs a new key';
    expect(await api.made('/v1/c/usage/bulk', [{ ...event, units: '6', idempotency_key: 'report-1' }])).toEqual([
      { index: 0, status: 409, code: 'idempotency_key_reused', feedback: { idempotency_key: { type: 'error', value } } },
    ]);
    expect(await used(contractId)).toBe('5');
  });

  it('of 300 events at once is counted to the last one', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
    await Promise.all(Array.from({ length: 300 }, () => api.made('/v1/c/usage', event)));
    expect(await used(contractId)).toBe('300');
    const rows = await withTestDatabase((db) =>
      db.query<{ count: string }>('select count(*) from usage_event where contract_id = $1', [contractId]),
    );
    expect(rows[0]?.count).toBe('300');
  });

  it('is refused with a reason', async () => {
    const clock = await clockOf(vendor, '2025-03-10T00:00:00Z');
    const { customerId } = await signedContract(vendor, { test_clock: clock.id });
    const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
    const reasons = [
      [{ ...event, feature_slug: 'nothing' }, 404, 'feature_not_found'],
      [{ ...event, customer_id: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f' }, 404, 'customer_not_found'],
      [{ ...event, feature_slug: 'sso' }, 400, 'feature_not_usage_priced'],
      [{ ...event, units: '-1' }, 400, 'invalid_request'],
      [{ ...event, timestamp: '2025-03-09T23:59:59.999Z' }, 409, 'usage_outside_contract'],
      [{ ...event, timestamp: '2025-03-10T01:00:00.001Z' }, 409, 'usage_in_future'],
      [{ ...event, timestamp: '1970-01-01T00:00:00Z' }, 409, 'usage_outside_contract'],
      [{ ...event, timestamp: '0001-01-01T00:00:00Z' }, 409, 'usage_outside_contract'],
      [{ ...event, timestamp: '9999-12-31T23:59:59.999Z' }, 409, 'usage_in_future'],
      [{ ...event, timestamp: '9999-12-31T23:59:59.999-01:00' }, 400, 'invalid_request'],
      [{ ...event, timestamp: 'yesterday' }, 400, 'invalid_request'],
      [{ ...event, metadata: { n: 1 } }, 400, 'invalid_request'],
    ] as const;
    for (const [body, status, code] of reasons) {
      expect(await api.post('/v1/c/usage', body)).toMatchObject({ status, body: { code } });
    }
    expect(await api.post('/v1/c/usage', { ...event, timestamp: '2025-03-10T01:00:00Z' })).toMatchObject({ status: 200 });
    expect(await api.post('/v1/c/usage', { ...event, timestamp: '2025-03-10T02:00:00+02:00' })).toMatchObject({ status: 200 });
    const always = 'from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59Z';
    expect((await api.read(`/v1/c/usage?customer=${customerId}&${always}`)).total).toBe(2);
    expect(
      (await api.read(`/v1/c/invoice?customer=${customerId}&${always.replace('from', 'date_after').replace('to', 'date_before')}`)).total,
    ).toBe(1);
    const owed = await api.read(`/v1/c/entitlement/${customerId}/billing?due_date_before=9999-12-31T23:59:59Z`);
    expect(owed.payment.unpaid_invoices_info[0].unpaid_invoices).toHaveLength(1);
  });

  it('is counted by each filter as it is listed, and no other vendor finds it', async () => {
    const [one, two, other] = [await signedContract(vendor), await signedContract(vendor), await newVendor()];
    const event = ({ customerId }: typeof one) => ({ customer_id: customerId, feature_slug: 'calls', units: '1' });
    expect(await api.made('/v1/c/usage/bulk', [event(one), event(one), event(one), event(two), event(two)])).toEqual([]);
    const found = async (query: string, by = api): Promise<[number, number]> => {
      const { total, hits } = await by.read(`/v1/c/usage?${query}`);
      return [total, hits.length];
    };
    expect(await found(`contract=${one.contractId}`)).toEqual([3, 3]);
    expect(await found(`contract=${one.contractId}&feature=calls`)).toEqual([3, 3]);
    expect(await found(`contract=${one.contractId}&feature=sms`)).toEqual([0, 0]);
    expect(await found(`customer=${two.customerId}`)).toEqual([2, 2]);
    expect(await found(`customer=${two.customerId}&to=2020-01-01T00:00:00Z`)).toEqual([0, 0]);
    expect(await found(`customer=${two.customerId}&contract=${one.contractId}`)).toEqual([0, 0]);
    expect(await found(`contract=${one.contractId}`, other.api)).toEqual([0, 0]);
    expect(await found(`customer=${one.customerId}`, other.api)).toEqual([0, 0]);
    expect(await found('contract=Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f')).toEqual([0, 0]);
    const marker = await api.made<string>('/v1/c/usage', { ...event(one), is_absolute: true });
    await api.made(`/v1/c/usage/${marker}/discard`, {});
    await api.made('/v1/c/usage', event(one));
    for (const query of [
      `contract=${one.contractId}`,
      `customer=${one.customerId}`,
      `contract=${one.contractId}&from=2020-01-01T00:00:00Z`,
    ])
      expect(await found(query)).toEqual([5, 5]);
    const each = (await api.read('/v1/c/usage?feature=calls&limit=0')).total;
    expect(each).toBe((await api.read('/v1/c/usage?feature=calls&from=1970-01-01T00:00:00Z&limit=0')).total);
  });

  it('in bulk stores the valid entries and names the wrong ones', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const good = { customer_id: customerId, feature_slug: 'calls', units: '1' };
    const failures = await api.made<AnyJson[]>('/v1/c/usage/bulk', [
      good,
      { ...good, units: 'x' },
      { ...good, feature_slug: 'no' },
      'text',
      good,
    ]);
    expect(failures.map(({ index, status }) => [index, status])).toEqual([
      [1, 400],
      [2, 404],
      [3, 400],
    ]);
    expect(await used(contractId)).toBe('2');
    expect(
      await api.post(
        '/v1/c/usage/bulk',
        Array.from({ length: 1001 }, () => good),
      ),
    ).toMatchObject({ status: 400 });
    expect(await api.post('/v1/c/usage/bulk', good)).toMatchObject({ status: 400 });
    expect(await api.made('/v1/c/usage/bulk', [])).toEqual([]);
  });

  it('of an absolute event discards earlier events; events with the same or a later timestamp are added', async () => {
    const clock = await clockOf(vendor, '2025-03-01T00:00:00Z');
    const { customerId, contractId } = await signedContract(vendor, { test_clock: clock.id });
    await clock.advanceTo('2025-03-02T00:00:00Z');
    const at = (time: string, units: string, absolute = false) =>
      api.made('/v1/c/usage', {
        customer_id: customerId,
        feature_slug: 'calls',
        units,
        is_absolute: absolute,
        timestamp: `2025-03-01T${time}:00Z`,
      });
    const early = await at('09:00', '10');
    await at('15:00', '2');
    await at('12:00', '4', true);
    await at('12:00', '3');
    await at('11:00', '100');
    expect(await used(contractId)).toBe('9');
    const { hits } = await api.read(`/v1/c/usage?contract=${contractId}`);
    expect(hits.map((hit: AnyJson) => [hit.timestamp.slice(11, 16), hit.units, hit.discarded])).toEqual([
      ['09:00', '10', true],
      ['11:00', '100', true],
      ['12:00', '4', false],
      ['12:00', '3', false],
      ['15:00', '2', false],
    ]);
    expect((await api.read(`/v1/c/usage?contract=${contractId}&from=2025-03-01T09:00:00Z&to=2025-03-01T11:00:00Z`)).hits).toMatchObject([
      { id: early },
    ]);
  });

  it('is amended and discarded with its history, and the sum is updated', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const event = { customer_id: customerId, feature_slug: 'calls', units: '10' };
    const id = await api.made('/v1/c/usage', event);
    await api.made('/v1/c/usage', { ...event, units: '1' });
    expect(await api.made(`/v1/c/usage/${id}/amend`, { units: '4', notes: 'miscounted' })).toBe(id);
    expect(await used(contractId)).toBe('5');
    expect((await api.read(`/v1/c/usage?contract=${contractId}&limit=1`)).hits).toMatchObject([
      { id, units: '4', original_units: '10', notes: 'miscounted' },
    ]);
    await api.made(`/v1/c/usage/${id}/discard`);
    expect(await used(contractId)).toBe('1');
    expect(await api.post(`/v1/c/usage/${id}/discard`)).toMatchObject({ status: 409, body: { code: 'usage_discarded' } });
    expect(await api.post(`/v1/c/usage/${id}/amend`, { units: '4' })).toMatchObject({ status: 409 });
  });

  it('in a closed period is refused, or with allow_correction billed as a difference on the next invoice', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { customerId, contractId } = await signedContract(vendor, { test_clock: clock.id });
    const event = { customer_id: customerId, feature_slug: 'calls', units: '150' };
    await api.made('/v1/c/usage', event);
    await clock.advanceTo('2025-02-10T00:00:00Z');
    const late = { ...event, timestamp: '2025-01-20T00:00:00Z' };
    expect(await api.post('/v1/c/usage', late)).toMatchObject({
      status: 409,
      body: {
        code: 'period_closed',
        detail: `Usage period 1 of ${contractId} is closed: set allow_correction to bill the difference on the next invoice.`,
      },
    });
    await api.made('/v1/c/usage', { ...late, allow_correction: true });
    expect(await used(contractId)).toBe('300');
    await clock.advanceTo('2025-03-01T00:00:00Z');
    const { hits } = await api.read(`/v1/c/invoice?contract=${contractId}&date_after=2025-03-01T00:00:00Z`);
    const amounts = hits[0].invoice_items.map((item: AnyJson) => item.subtotal).toSorted();
    // 300 calls in packs cost 8.85, of which 5.90 were charged
    expect(amounts).toEqual(['0.00', '2.95', '29.00', '50.00']);
    expect(await api.post(`/v1/c/contract/${contractId}/usage_period/1/close`)).toMatchObject({
      status: 409,
      body: {
        code: 'period_closed',
        detail: expect.stringMatching(/^Usage period 1 is closed: to correct it, .* with allow_correction\.$/),
      },
    });
    expect(await api.post(`/v1/c/contract/${contractId}/usage_period/77/close`)).toMatchObject({ status: 404 });
  });

  it('of an erased customer is refused as such, alone and with others', async () => {
    const { customerId } = await signedContract(vendor);
    const erased: string = await api.made('/v1/c/customer', { name: 'Gone' });
    await api.made(`/v1/c/customer/${erased}/erase`, {});
    const event = { customer_id: erased, feature_slug: 'calls', units: '1' };
    expect(await api.post('/v1/c/usage', event)).toMatchObject({ status: 409, body: { code: 'customer_erased' } });
    expect(await api.made('/v1/c/usage/bulk', [event, { ...event, customer_id: customerId }])).toMatchObject([
      { index: 0, status: 409, code: 'customer_erased' },
    ]);
  });

  it('that was corrected 3,000 times shows its report and the last 500 corrections', async () => {
    const { customerId } = await signedContract(vendor);
    const id = await api.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' });
    await withTestDatabase((db) =>
      db.query(
        `insert into usage_event_history (event_id, at, kind, units_before, units_after)
         select $1, now(), 'amended', n, n + 1 from generate_series(1, 3000) n`,
        [id],
      ),
    );
    const history = await api.read<AnyJson[]>(`/v1/c/usage/${id}/history`);
    const shown = history.map(({ action, units }) => [action, units]);
    expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([501, ['reported', '1'], ['amended', '2502'], ['amended', '3001']]);
  });

  it('is reported by a key of scope usage, which may do nothing else', async () => {
    const { customerId } = await signedContract(vendor);
    const reporter = await withScope(vendor, 'usage');
    const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
    expect(await reporter.post('/v1/c/usage', event)).toMatchObject({ status: 200 });
    expect(await reporter.post('/v1/c/usage/bulk', [event])).toMatchObject({ status: 200 });
    expect(await reporter.get('/v1/c/usage')).toMatchObject({ status: 403 });
    expect(await reporter.post('/v1/c/customer', { name: 'x' })).toMatchObject({ status: 403 });
  });
});
