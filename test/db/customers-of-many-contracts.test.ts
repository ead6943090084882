import type { AnyJson } from '../support/api.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const [CUSTOMERS, CONTRACTS] = [5, 900];

/** Contracts that changes have left. */
const LEFT = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n, 'status', 'moved', 'ended', c.created))).*
  from contract c, generate_series(2, $2::int) n where c.id = $1`;

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

it(`${CUSTOMERS} customers with ${CONTRACTS} contracts each come two on a page, with all their contracts, none left out`, async () => {
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'month', price }];
  const plan = await vendor.api.made('/v1/c/plan', { slug: 'pro', internal_name: 'Pro', strategy: 'plan', pricings });
  const made: string[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const customer = await vendor.api.made<string>('/v1/c/customer', { name: 'Ada' });
    const contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await own.db.query(LEFT, [contract, CONTRACTS]);
    made.push(customer);
  }
  const pages: AnyJson[][] = [];
  for (let offset: string | null = ''; offset !== null; ) {
    const page: AnyJson = await vendor.api.read(`/v1/c/customer?limit=100${offset === '' ? '' : `&offset=${offset}`}`);
    pages.push(page.hits);
    offset = page.forward;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().map(({ id }) => id)).toEqual(made);
  expect(pages.flat().filter(({ contracts }) => contracts.length !== CONTRACTS)).toEqual([]);
});
