import type { AnyJson } from '../support/api.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const [INVOICES, LINES] = [5, 2_200];

const MORE_LINES = `
  insert into invoice_item
  select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
  from invoice_item i, generate_series(2, $2::int) n where i.invoice_id = $1`;

let own: OwnDatabase;
let api: SecondApi;
let vendor: TestVendor;
beforeAll(async () => {
  own = await ownDatabase();
  // no workflow is needed, and the shared worker doesn't know this database
  api = await secondApi({ databaseUrl: own.databaseUrl, temporalAddress: '127.0.0.1:1' });
  vendor = await newVendor('Long', { ...(await servers()), databaseUrl: own.databaseUrl, baseUrl: api.baseUrl });
});
afterAll(async () => {
  await api?.stop();
  await own?.drop();
});

it(`${INVOICES} invoices with ${LINES} lines each come two on a page, with all their lines, none left out`, async () => {
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'month', price }];
  const plan = await vendor.api.made('/v1/c/plan', { slug: 'pro', internal_name: 'Pro', strategy: 'plan', pricings });
  for (let n = 0; n < INVOICES; n += 1) {
    const customer = await vendor.api.made<string>('/v1/c/customer', { name: 'Ada' });
    await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  }
  const made = (await vendor.api.read('/v1/c/invoice?limit=100')).hits.map(({ invoice }: AnyJson) => invoice.id);
  for (const id of made) await own.db.query(MORE_LINES, [id, LINES]);
  const pages: AnyJson[][] = [];
  for (let offset: string | null = ''; offset !== null; ) {
    const page: AnyJson = await vendor.api.read(`/v1/c/invoice?limit=100${offset === '' ? '' : `&offset=${offset}`}`);
    pages.push(page.hits);
    offset = page.forward;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().map(({ invoice }) => invoice.id)).toEqual(made);
  expect(pages.flat().filter(({ invoice_items }) => invoice_items.length !== LINES)).toEqual([]);
});
