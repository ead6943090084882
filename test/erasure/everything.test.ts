import { dieAndReturn } from '../crash/kit.ts';
import { type Mailing, startMailing, writingVendor } from '../email/kit.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { heldOf } from '../support/histories.ts';
import { sheetsOf } from '../support/pdf.ts';
import { temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';

/** Stands in everything that somebody writes about the customer here, but for the VAT id and the card's number. */
const WORD = 'qzxvw';
const VAT_ID = 'DE811907980';

const EVENTS = 700;

let mailing: Mailing;
let vendor: TestVendor;
beforeAll(async () => {
  mailing = await startMailing();
  vendor = await writingVendor(mailing);
});
afterAll(() => mailing?.end());

const price = { amount: '30.00', strategy_details: { pricing_strategy: 'flat' } };
const calls = {
  amount: '0.01',
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
};

async function savePlan(api: Api, slug: string, features: object): Promise<string> {
  const pricings = [{ currency: 'usd', cycle: 'month', price, features, groups: {} }];
  const names = Object.keys(features).map((one) => ({ slug: one, name: one }));
  return api.made('/v1/c/plan', { slug, internal_name: slug, strategy: 'plan', features: names, pricings });
}

/** A customer with a card, of whom something personal stands everywhere. */
async function makeCustomer(api: Api): Promise<string> {
  const address = { line_1: `${WORD} Street 1`, city: `${WORD}burg`, zip: '10115', country: 'DE' };
  const id = await importCustomer(api, {
    name: `Ada ${WORD}`,
    emails: { main: `ada@${WORD}.example`, billing: `bills@${WORD}.example` },
    addresses: { main: address },
    customer_reference: `crm-${WORD}`,
    notes: `likes ${WORD}`,
    metadata: { city: WORD },
    tax_details: { vat_id: VAT_ID },
  });
  await api.made(`/v1/c/customer/${id}/activate`, { notes: `from ${WORD}` });
  await api.made(`/v1/c/customer/${id}/address`, address, { 'idempotency-key': 'address' });
  const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' }, { 'idempotency-key': 'confirm' });
  await api.made('/v1/c/customer/authenticate', { id });
  return id;
}

/** Made by a line of an import; another one that is not started has a further line of the same person. */
async function importCustomer(api: Api, body: object): Promise<string> {
  const load = async (more: object): Promise<string> => {
    const line = { type: 'customer', ref: `crm-${WORD}`, status: 'temporary', ...body, ...more };
    const id = await api.made<string>('/v1/c/import', {});
    await api.made(`/v1/c/import/${id}/lines`, { lines: [{ number: 1, line }] }, { 'idempotency-key': id });
    return id;
  };
  const id = await load({});
  await api.made(`/v1/c/import/${id}/start`, {});
  await eventually(async () => expect(await api.read(`/v1/c/import/${id}`)).toMatchObject({ status: 'done', done: 1 }));
  await load({ notes: `still likes ${WORD}` });
  const { hits } = await api.read(`/v1/c/customer?customer_reference=crm-${WORD}`);
  return hits[0].id;
}

async function report(api: Api, customer_id: string): Promise<void> {
  const one = { customer_id, feature_slug: 'calls', units: '10', metadata: { who: WORD } };
  const entries = Array.from({ length: EVENTS }, () => one);
  expect(await api.made('/v1/c/usage/bulk', entries)).toEqual([]);
  const { hits } = await api.read(`/v1/c/usage?customer=${customer_id}&limit=1`);
  await api.made(`/v1/c/usage/${hits[0].id ?? hits[0].event_id}/amend`, { units: '20', notes: `${WORD} said so` });
}

/** Every row of every table as text, but for the bytes of prints, which are read as PDFs. */
async function dump(): Promise<string[]> {
  const tables = `select format('%I', c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by 1`;
  return withTestDatabase(async (db) => {
    const rows: string[] = [];
    for (const { name } of await db.query<{ name: string }>(tables))
      rows.push(...(await db.query<{ row: string }>(`select t::text as row from ${name} t`)).map(({ row }) => `${name}: ${row}`));
    for (const { bytes } of await db.query<{ bytes: Buffer }>('select bytes from document_print'))
      rows.push(`print: ${(await sheetsOf(bytes)).join(' ')}`);
    return rows;
  }, mailing.stack.servers);
}

const personal = (rows: readonly string[]): string[] =>
  rows.filter((row) => row.toLowerCase().includes(WORD) || row.includes(VAT_ID)).map((row) => row.slice(0, 200));

async function textOf(path: string): Promise<string> {
  const answer = await fetch(new URL(path, mailing.stack.servers.baseUrl), { headers: { 'wb-key': vendor.apiKey } });
  expect(answer.status).toBe(200);
  return (await sheetsOf(Buffer.from(await answer.arrayBuffer()))).join(' ');
}

const invoicesOf = async (api: Api, customer: string): Promise<AnyJson[]> => (await api.read(`/v1/c/invoice?customer=${customer}`)).hits;

it('a customer with everything leaves nothing personal in any table, print or history, and all its amounts', async () => {
  const { api } = vendor;
  const metered = await savePlan(api, 'metered', { calls });
  const plain = await savePlan(api, 'plain', {});
  const customer = await makeCustomer(api);
  const contract = await api.made('/v1/c/contract', { customer, plan: metered, currency: 'usd', cycle: 'month' });
  const byHand = await api.made('/v1/c/contract', { customer, plan: plain, currency: 'usd', cycle: 'month', automatic_payment: false });
  await report(api, customer);
  const [unpaid] = (await api.read(`/v1/c/invoice?contract=${byHand}`)).hits;
  const erase = (words = {}) => api.post(`/v1/c/customer/${customer}/erase`, {}, words);
  expect(await erase()).toMatchObject({
    status: 409,
    body: { code: 'money_open', feedback: { contract: { value: expect.stringContaining('cancel') }, invoice: expect.anything() } },
  });
  await api.made(
    `/v1/c/invoice/${unpaid.invoice.id}/pay`,
    { method: 'manual', reference: `transfer of ${WORD}` },
    { 'idempotency-key': 'pay' },
  );
  const path = `/v1/c/customer/${customer}/wallet/transaction`;
  await api.made(path, { currency: 'usd', amount: '5.00', description: `for ${WORD}` });
  await api.made(path, { currency: 'usd', amount: '-5.00', description: `from ${WORD}` });
  const given = { customer, currency: 'eur', amount: '5.00', kind: 'promotional', description: `for ${WORD}` };
  const grant = await api.made('/v1/c/credit_grant', given, { 'idempotency-key': 'grant' });
  await api.made(`/v1/c/credit_grant/${grant}/void`);
  await api.made(`/v1/c/customer/${customer}/inactivate`, { notes: `away to ${WORD}` });
  await api.made(`/v1/c/customer/${customer}/activate`, { notes: `back from ${WORD}` });
  for (const id of [contract, byHand]) await api.made(`/v1/c/contract/${id}/cancel`, { when: { type: 'now' }, notes: `moves to ${WORD}` });
  await eventually(async () => {
    const hits = await invoicesOf(api, customer);
    expect(hits.map(({ amount_due }) => amount_due)).toEqual(hits.map(() => '0.00'));
    expect(hits).toHaveLength(3);
  });
  const [first] = await invoicesOf(api, customer);
  const note = { items: [{ invoice_item_id: first.invoice_items[0].id, amount: '1.00' }], to: 'payment', notes: `sorry, ${WORD}` };
  const noteId = await api.made(`/v1/c/invoice/${first.invoice.id}/credit_note`, note);
  const prints = [`/v1/c/invoice/${first.invoice.id}/pdf`, `/v1/c/invoice/${first.invoice.id}/credit_note/${noteId}/pdf`];
  for (const print of prints) expect(await textOf(print)).toContain(WORD);
  const before = await invoicesOf(api, customer);
  expect(personal(await dump()).length).toBeGreaterThan(20);

  const begun = await eventually(async () => {
    const answer = await erase();
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ customer })]);
    return answer.body;
  });
  await dieAndReturn(mailing.stack, 'worker');
  expect(await api.read(`/v1/c/customer/${customer}`)).toMatchObject({
    name: '',
    emails: {},
    metadata: {},
    notes: null,
    address: { country: 'DE' },
  });
  await eventually(async () => expect((await erase()).body.ended).not.toBeNull());
  expect((await erase()).body.began).toBe(begun.began);
  expect(personal(await dump())).toEqual([]);

  for (const print of prints) expect((await textOf(print)).toLowerCase()).not.toContain(WORD);
  expect(await textOf(prints[0] ?? '')).toContain(before[0].invoice.total);
  // one that is read during an erasure may still have what goes later, so none is kept
  expect((await dump()).filter((row) => row.startsWith('document_print:'))).toEqual([]);
  expect(personal(await dump())).toEqual([]);
  expect((await invoicesOf(api, customer)).map(({ invoice, amount_due }) => [invoice.id, invoice.total, amount_due])).toEqual(
    before.map(({ invoice, amount_due }) => [invoice.id, invoice.total, amount_due]),
  );
  for (const write of ['activate', 'inactivate', 'address'])
    expect(
      await api.post(`/v1/c/customer/${customer}/${write}`, write === 'address' ? { line_1: 'a', city: 'b', zip: '1', country: 'DE' } : {}),
    ).toMatchObject({ status: 409, body: { code: 'customer_erased' } });

  const temporal = temporalAt(mailing.stack.servers.temporalAddress);
  const held = await heldOf(temporal, `PerennialVendor = "${vendor.vendorId}"`).finally(() => temporal.close());
  expect(held.size).toBeGreaterThan(3);
  expect([...held].filter(([, text]) => personal([text]).length > 0).map(([id]) => id)).toEqual([]);
}, 400_000);
