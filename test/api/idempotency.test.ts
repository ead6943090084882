import { storeResponse } from '../../db/sql/idempotency/store-response.ts';
import { type AnyJson, api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { servers } from '../support/servers.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, planBody, signedContract } from './support.ts';

const SESSION = { operation: 'add_method', provider: 'cardproc' };
const key = (value: string) => ({ 'idempotency-key': value });

describe('an Idempotency-Key', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });

  /** As after the end of a process before the response was stored, and after its lease. */
  const loseResponse = (operation: string, name: string) =>
    withTestDatabase((db) =>
      db.query(
        `update idempotency set response_status = null, response_body = null, leased_until = now() - interval '1 second'
         where vendor_id = $1 and operation = $2 and key = $3`,
        [vendor.vendorId, operation, name],
      ),
    );

  it('creates one customer for 50 requests at once; each gets the same response or a 409 with Retry-After', async () => {
    const { baseUrl } = await servers();
    const send = () => api(vendor.apiKey, baseUrl).post('/v1/c/customer', { name: 'once' }, key('fifty'));
    const responses = await Promise.all(Array.from({ length: 50 }, send));
    const ids = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body));
    expect(ids.size).toBe(1);
    for (const { status, body, headers } of responses.filter((response) => response.status !== 200)) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', expect.stringMatching(/^\d+$/)]);
    }
    expect((await send()).body).toBe([...ids][0]);
    expect((await vendor.api.read('/v1/c/customer?search=once')).total).toBe(1);
  });

  it('refuses another body, another path and another query under the same key', async () => {
    await vendor.api.made('/v1/c/customer', { name: 'first' }, key('reused'));
    expect(await vendor.api.post('/v1/c/customer', { name: 'second' }, key('reused'))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
    const [a, b] = [await vendor.api.made('/v1/c/customer', { name: 'a' }), await vendor.api.made('/v1/c/customer', { name: 'b' })];
    expect(await vendor.api.post(`/v1/c/customer/${a}/activate`, undefined, key('act'))).toMatchObject({ status: 200 });
    expect(await vendor.api.post(`/v1/c/customer/${b}/activate`, undefined, key('act'))).toMatchObject({ status: 409 });
  });

  it('belongs to one vendor and one operation', async () => {
    const other = await checkedVendor();
    const mine = await vendor.api.made('/v1/c/customer', { name: 'same' }, key('shared'));
    expect(await other.api.made('/v1/c/customer', { name: 'same' }, key('shared'))).not.toBe(mine);
    expect(await vendor.api.post('/v1/c/plan', planBody('shared-key'), key('shared'))).toMatchObject({ status: 201 });
  });

  it('repeats a refusal byte for byte, even when its cause is gone', async () => {
    const id = await vendor.api.made('/v1/c/customer', { name: 'cold' });
    await vendor.api.post(`/v1/c/customer/${id}/inactivate`);
    const first = await vendor.api.post('/v1/c/customer', { id, name: 'warm' }, key('refused'));
    await vendor.api.post(`/v1/c/customer/${id}/activate`);
    const second = await vendor.api.post('/v1/c/customer', { id, name: 'warm' }, key('refused'));
    expect([first.status, second.body]).toEqual([409, first.body]);
    expect(await vendor.api.post('/v1/c/customer', { id, name: 'warm' })).toMatchObject({ status: 200 });
  });

  it('repeats the confirmation of a payment session, which needs no key of the API', async () => {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'pays' });
    const open = async () => (await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, SESSION)).token;
    const [token, other] = [await open(), await open()];
    const confirm = (session: string, method: string) =>
      api(null).post(`/v1/c/payment/session/${session}/confirm`, { payment_method: method }, key('confirmed'));
    const first = await confirm(token, 'sandbox_ok');
    expect(first).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect(await confirm(token, 'sandbox_ok')).toMatchObject({ status: 200, body: first.body });
    for (const again of [await confirm(token, 'sandbox_slow'), await confirm(other, 'sandbox_ok')])
      expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect(await vendor.api.read(`/v1/c/customer/${customer}/payment/method`)).toHaveLength(1);
  });

  it('never shows a secret twice', async () => {
    const body = { name: 'secret', scope: 'read' };
    expect(await vendor.api.post('/v1/c/api_key', body, key('secret'))).toMatchObject({ status: 201 });
    expect(await vendor.api.post('/v1/c/api_key', body, key('secret'))).toMatchObject({
      status: 409,
      body: { code: 'secret_already_shown' },
    });
  });

  it('is not stored for a 401 and must be visible ASCII', async () => {
    const { baseUrl } = await servers();
    expect(await api('nonsense', baseUrl).post('/v1/c/customer', { name: 'x' }, key('later'))).toMatchObject({ status: 401 });
    expect(await vendor.api.post('/v1/c/customer', { name: 'x' }, key('later'))).toMatchObject({ status: 200 });
    expect(await vendor.api.post('/v1/c/customer', { name: 'x' }, key('a b'))).toMatchObject({ status: 400 });
  });

  it('changes a contract once', async () => {
    const { contractId } = await signedContract(vendor);
    const body = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } } };
    const first = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, body, key('up'));
    expect(await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, body, key('up'))).toBe(first);
    expect(await vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, body)).toMatchObject({
      status: 409,
      body: { code: 'contract_not_live' },
    });
  });

  it('of a change that was refused while its test clock advanced works when the clock is ready', async () => {
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const { contractId } = await signedContract(vendor, { test_clock: clock });
    const setStatus = (status: string) =>
      withTestDatabase((db) => db.query('update test_clock set status = $2 where id = $1', [clock, status]));
    const cancel = () => vendor.api.post(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'end_of_cycle' } }, key('moving'));
    await setStatus('advancing');
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'clock_advancing' } });
    await setStatus('ready');
    expect(await cancel()).toMatchObject({ status: 200, body: contractId });
  });

  it('of usage in bulk whose response was never stored counts nothing twice, and takes what had been refused', async () => {
    const { customerId } = await signedContract(vendor);
    const entry = { customer_id: customerId, feature_slug: 'calls', units: '5' };
    const body = [{ ...entry, units: '-1' }, entry, entry, { ...entry, idempotency_key: 'own' }];
    const report = () => vendor.api.made<unknown[]>('/v1/c/usage/bulk', body, key('in-bulk'));
    const stored = async () => (await vendor.api.get(`/v1/c/usage?customer=${customerId}`)).body.total;
    expect(await report()).toHaveLength(1);
    expect(await stored()).toBe(3);
    await loseResponse('report_usage_bulk', 'in-bulk');
    expect(await report()).toHaveLength(1);
    expect(await stored()).toBe(3);
    // another body, or no key: these are other events
    expect(await vendor.api.made('/v1/c/usage/bulk', [entry, entry], key('in-bulk-2'))).toEqual([]);
    expect(await vendor.api.made('/v1/c/usage/bulk', [entry])).toEqual([]);
    expect(await stored()).toBe(6);
  });

  it('of usage in bulk, of which an entry could not be taken for a moment, takes that entry when it is repeated', async () => {
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const [free, moving] = [await signedContract(vendor), await signedContract(vendor, { test_clock: clock })];
    const setStatus = (status: string) =>
      withTestDatabase((db) => db.query('update test_clock set status = $2 where id = $1', [clock, status]));
    const body = [free, moving].map(({ customerId }) => ({ customer_id: customerId, feature_slug: 'calls', units: '5' }));
    const report = () => vendor.api.made<AnyJson[]>('/v1/c/usage/bulk', body, key('for-a-moment'));
    await setStatus('advancing');
    expect(await report()).toMatchObject([{ index: 1, status: 409, code: 'clock_advancing' }]);
    expect(await report()).toMatchObject([{ index: 1, status: 409, code: 'clock_advancing' }]);
    await setStatus('ready');
    expect(await report()).toEqual([]);
    expect(await report()).toEqual([]);
    for (const { customerId } of [free, moving]) expect((await vendor.api.read(`/v1/c/usage?customer=${customerId}`)).total).toBe(1);
  });

  it('of a check that reserves units, whose response was never stored, reserves nothing again', async () => {
    const { customerId } = await signedContract(vendor);
    const check = (name: string) =>
      vendor.api.made<AnyJson>(
        `/v1/c/entitlement/${customerId}/check`,
        { feature_slug: 'calls', units: '5', reserve_seconds: 3_600 },
        key(name),
      );
    const first = await check('reserves');
    await loseResponse('check_usage', 'reserves');
    expect(await check('reserves')).toEqual(first);
    expect(await check('reserves')).toMatchObject({ allowed: true, reserved: '5' });
    expect((await check('reserves-2')).reserved).toBe('10');
    // confirmed meanwhile: the repeat still names it
    await vendor.api.made(`/v1/c/reservation/${first.reservation}/confirm`, {});
    await loseResponse('check_usage', 'reserves');
    expect(await check('reserves')).toMatchObject({ reservation: first.reservation, used: '5', reserved: '5' });
  });

  it('of a check that is refused reserves nothing, and the corrected check goes through under it', async () => {
    const { customerId } = await signedContract(vendor);
    const path = `/v1/c/entitlement/${customerId}/check`;
    const asked = { units: '5', reserve_seconds: 60 };
    const refused = await vendor.api.post(path, { ...asked, feature_slug: 'report' }, key('corrected'));
    expect(refused).toMatchObject({ status: 400, body: { code: 'feature_not_usage_priced' } });
    const check = () => vendor.api.made<AnyJson>(path, { ...asked, feature_slug: 'calls' }, key('corrected'));
    const first = await check();
    expect(first).toMatchObject({ allowed: true, reserved: '5', reservation: expect.any(String) });
    // released meanwhile: the repeat still names it, and it keeps nothing
    await vendor.api.made(`/v1/c/reservation/${first.reservation}/release`, {});
    await loseResponse('check_usage', 'corrected');
    expect(await check()).toMatchObject({ allowed: true, reserved: '0', reservation: first.reservation });
    // what was not allowed is decided again
    await vendor.api.made(`/v1/c/customer/${customerId}/limit`, { feature_slug: 'calls', units: '4', window: 'period', action: 'refuse' });
    const later = () => vendor.api.made<AnyJson>(path, { ...asked, feature_slug: 'calls' }, key('later'));
    expect(await later()).toMatchObject({ allowed: false });
    await loseResponse('check_usage', 'later');
    expect(await later()).toMatchObject({ allowed: false, reason: 'limit_reached' });
  });

  it('whose lease expired after a crash is leased again; a response stored meanwhile is found first', async () => {
    const body = { name: 'crashed' };
    const made = await vendor.api.made('/v1/c/customer', body, key('crash'));
    const reference = { vendorId: vendor.vendorId, operation: 'save_customer', key: 'crash' };
    const forget = (until: string) =>
      withTestDatabase((db) =>
        db.query(
          `update idempotency set response_status = null, response_body = null, leased_until = now() + $4::interval
           where vendor_id = $1 and operation = $2 and key = $3 returning body_hash`,
          [reference.vendorId, reference.operation, reference.key, until],
        ),
      );
    const [row] = (await forget('1 minute')) as { body_hash: string }[];
    expect(await vendor.api.post('/v1/c/customer', body, key('crash'))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress' },
    });
    await forget('-1 second');
    const again = await vendor.api.made('/v1/c/customer', body, key('crash'));
    expect(again).not.toBe(made);
    await forget('-1 second');
    const late = { status: 200, body: JSON.stringify(made), headers: {}, secret: false };
    await withTestDatabase((db) => storeResponse(db, { ...reference, bodyHash: row?.body_hash ?? '' }, late));
    expect(await vendor.api.made('/v1/c/customer', body, key('crash'))).toBe(made);
  });
});
