import type { AnyJson, Api } from '../support/api.ts';
import { api as strangerTo } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { checked, checkedVendor, feedback, planBody, signedContract, withScope } from './support.ts';

const UNKNOWN = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

describe('payments over the API', () => {
  let api: Api;
  let vendor: Awaited<ReturnType<typeof checkedVendor>>;
  let customer: string;
  const of = (path: string) => `/v1/c/customer/${customer}${path}`;

  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });
  beforeEach(async () => {
    customer = await api.made('/v1/c/customer', { name: 'Acme' });
    await api.made(`/v1/c/customer/${customer}/activate`);
  });

  const session = (body: object = { provider: 'sandbox' }): Promise<AnyJson> => api.made(of('/payment/session'), body);
  const method = async (name: string): Promise<string> => {
    await api.made(`/v1/c/payment/session/${(await session()).token}/confirm`, { payment_method: name });
    return (await api.read(of('/payment/method')))[0].id;
  };

  it('a session has the documented shape and is confirmed without a key', async () => {
    const made = await session({ address: true, operation: 'add_method', detach_previous_on_success: true, provider: 'cardproc' });
    expect(made).toEqual({
      ...{ address: true, customer_id: customer, wb_customer_id: vendor.vendorId, detach_previous_on_success: true },
      ...{ operation: 'add_method', provider: 'cardproc', status: 'pending', token: expect.stringMatching(/^PSess_/) },
      setup_intent: {
        ...{ address: true, customer_id: customer, wb_customer_id: vendor.vendorId, authorize: null },
        cardproc: { client_secret: made.token, connected_account_id: 'sandbox', pk_key: 'sandbox' },
      },
    });
    const { baseUrl } = await servers();
    const stranger = checked(strangerTo(null, baseUrl));
    expect((await stranger.get(`/v1/c/payment/session/${made.token}`)).status).toBe(401);
    const done = await stranger.post(`/v1/c/payment/session/${made.token}/confirm`, { payment_method: 'sandbox_ok' });
    expect([done.status, done.body.status]).toEqual([200, 'succeeded']);
    expect(await api.read(`/v1/c/payment/session/${made.token}`)).toEqual(done.body);
  });

  it('names what is unknown', async () => {
    const wrong = await api.post(of('/payment/session'), { provider: 'paypal', adress: true });
    expect([wrong.status, Object.keys(feedback(wrong)).toSorted()]).toEqual([400, ['adress', 'provider']]);
    expect((await api.post(of('/payment/session'), { plan_id: `Plan_${UNKNOWN}` })).body.code).toBe('plan_not_found');
    expect((await api.post(`/v1/c/customer/Cust_${UNKNOWN}/payment/session`, {})).body.code).toBe('customer_not_found');
    expect((await api.post(of('/payment/method_selection'), { payment_method: `CPMet_${UNKNOWN}` })).body.code).toBe(
      'payment_method_not_found',
    );
    expect((await api.post(of('/payment/method_selection'), { payment_method: 'cash' })).status).toBe(400);
    expect((await api.get(of(`/payment/method/CPMet_${UNKNOWN}`))).body.code).toBe('payment_method_not_found');
    expect((await api.post(`/v1/c/payment/session/PSess_${UNKNOWN}/confirm`, {})).body.code).toBe('payment_session_not_found');
    expect((await api.post(`/v1/c/invoice/Inv_${UNKNOWN}/pay`, {})).body.code).toBe('invoice_not_found');
    expect((await api.post(of('/wallet/transaction'), { currency: 'usd', amount: '0.001', description: 'x' })).status).toBe(400);
    expect((await api.post(of('/wallet/transaction'), { currency: 'usd', amount: '-1', description: 'x' })).body.code).toBe(
      'wallet_insufficient',
    );
  });

  it('a frozen customer’s sessions, methods and wallet can be read, but every write is a 409', async () => {
    const id = await method('sandbox_ok');
    const open = await session();
    await api.made(`/v1/c/customer/${customer}/inactivate`);
    const writes: [string, object][] = [
      [of('/payment/session'), {}],
      [of('/payment/method_selection'), { payment_method: 'none' }],
      [of(`/payment/method/${id}/detach`), {}],
      [of('/wallet/transaction'), { currency: 'usd', amount: '5', description: 'x' }],
      [`/v1/c/payment/session/${open.token}/confirm`, { payment_method: 'sandbox_ok' }],
    ];
    for (const [path, body] of writes) expect((await api.post(path, body)).body.code).toBe('customer_frozen');
    expect(await api.read(of('/payment/method'))).toHaveLength(1);
    expect((await api.read(of('/wallet'))).balances).toEqual([]);
  });

  it('on the wall clock an invoice is paid automatically, with events', async () => {
    await method('sandbox_ok');
    const planId = await api.made('/v1/c/plan', planBody('pro'));
    const contract = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' });
    const [hit] = await eventually(async () => {
      const { hits } = await api.read(`/v1/c/invoice?contract=${contract}`);
      expect(hits[0].invoice).toMatchObject({ status: 'paid', deposit_transaction_status: 'succeeded' });
      return hits;
    });
    await eventually(async () => {
      const { hits: events } = await api.read(`/v1/c/event?object=${hit.invoice.id}`);
      expect(events.map(({ type, sequence }: AnyJson) => [sequence, type])).toEqual([
        [1, 'v1.invoice.created'],
        [2, 'v1.payment.started'],
        [3, 'v1.payment.succeeded'],
        [4, 'v1.invoice.paid'],
      ]);
    });
  });

  it('an invoice shows the reference of a manual payment; a credit note takes items of its own invoice only', async () => {
    const planId = await api.made('/v1/c/plan', planBody(`pro-${customer}`));
    const contract = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' });
    const [hit] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const path = `/v1/c/invoice/${hit.invoice.id}`;
    await api.made(`${path}/pay`, { method: 'manual', reference: 'wire 17' });
    expect((await api.read(path)).payments).toMatchObject([{ method: 'manual', status: 'succeeded', reference: 'wire 17' }]);
    const wrong = await api.post(`${path}/credit_note`, { items: [{ invoice_item_id: `Item_${UNKNOWN}` }], to: 'wallet' });
    expect([wrong.status, wrong.body.code]).toEqual([404, 'invoice_item_not_found']);
    expect(Object.keys(feedback(wrong))).toEqual(['items[0].invoice_item_id']);
  });

  it('an invoice is not sent where e-mail is not set up: the answer says what to set, and names no field', async () => {
    const { customerId: customer } = await signedContract(vendor);
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}`);
    const path = `/v1/c/invoice/${hits[0].invoice.id}/send`;
    const off = await vendor.api.post(path, {});
    const missing = 'no e-mails are sent to this customer: set enabled and from with POST /v1/c/preferences/email';
    expect([off.status, feedback(off)]).toEqual([400, { request: missing }]);
    expect(off.body.detail).toBe(`No${missing.slice(2)}.`);
  });

  it('a credit note that names an item twice gives back 7.00 and 5.00 of it, and later ones count both: 17.00 of 29.00 are left', async () => {
    const made = await api.made('/v1/c/customer', { name: 'Twice' });
    const planId = await api.made('/v1/c/plan', planBody(`twice-${made}`));
    const contract = await api.made('/v1/c/contract', { customer: made, plan: planId, currency: 'usd', cycle: 'month' });
    const [{ invoice, invoice_items }] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const item = invoice_items.find(({ subtotal }: AnyJson) => subtotal === '29.00').id;
    const path = `/v1/c/invoice/${invoice.id}`;
    await api.made(`${path}/pay`, { method: 'manual' });
    const note = (...amounts: string[]) =>
      api.post(`${path}/credit_note`, { items: amounts.map((amount) => ({ invoice_item_id: item, amount })), to: 'wallet' });
    expect((await note('7.00', '5.00')).status).toBe(201);
    expect((await api.read(path)).credit_notes).toMatchObject([{ total: '12.00', items: [{ invoice_item_id: item, amount: '12.00' }] }]);
    expect(feedback(await note('17.01'))).toEqual({ 'items[0].amount': 'give at most 17.00, which is left of the item' });
    expect((await note('17.00')).status).toBe(201);
  });

  it('a key of scope read may read but not pay; another vendor finds nothing', async () => {
    const reader = await withScope(vendor, 'read');
    expect((await reader.get(of('/payment/method'))).status).toBe(200);
    expect((await reader.post(of('/payment/session'), {})).status).toBe(403);
    const other = await checkedVendor();
    const open = await session();
    expect((await other.api.get(`/v1/c/payment/session/${open.token}`)).body.code).toBe('payment_session_not_found');
    expect((await other.api.get(of('/wallet'))).body.code).toBe('customer_not_found');
  });

  it('refuses webhooks of a provider without keys and of an unknown provider', async () => {
    const { baseUrl } = await servers();
    for (const provider of ['cardproc', 'authorize', 'sandbox']) {
      const response = await fetch(new URL(`/v1/payment_webhook/${provider}`, baseUrl), { method: 'POST', body: '{}' });
      expect(response.status).toBe(404);
    }
  });
});
