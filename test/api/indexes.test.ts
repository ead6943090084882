import type { Database } from '../../db/connect.ts';
import { contractList } from '../../db/sql/contract/list.ts';
import { type CustomerFilter, customerList } from '../../db/sql/customer/list.ts';
import { invoiceList } from '../../db/sql/invoice/list.ts';
import type { List } from '../../db/sql/list/list.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { planList } from '../../db/sql/plan/list.ts';
import { usageList } from '../../db/sql/usage/list.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

const CUSTOMERS = 100_000;
/** Written by one statement, within its time also where the machine is busy. */
const AT_ONCE = 5_000;
const ID = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const none: CustomerFilter = { metadataKeys: [], metadataEntries: {} };

const filters: [string, CustomerFilter][] = [
  ['id', { ...none, id: `Cust_${ID}` }],
  ['email', { ...none, email: 'C77@x.test' }],
  ['customer_reference', { ...none, reference: 'r7' }],
  ['plan', { ...none, planId: `Plan_${ID}` }],
  ['contract_plan_name', { ...none, planName: 'Pro' }],
  ['status', { ...none, status: 'active' }],
  ['search', { ...none, search: 'c7777' }],
  ['payment_status', { ...none, invoiceStatus: 'paid' }],
  ['metadata[0]', { ...none, metadataKeys: ['rare'] }],
  ['metadata[key]', { ...none, metadataEntries: { n: '7' } }],
  ['nothing but limit', none],
];

/** Query plans with a sequential scan of the table, for a list's page and count, at its beginning and in its middle. */
async function scansOf(db: Database, list: List, table: string): Promise<string[]> {
  const found: string[] = [];
  const explained = {
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      const plan = (await db.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params)).map((line) => line['QUERY PLAN']).join('\n');
      if (new RegExp(`Seq Scan on ${table}\\b`).test(plan)) found.push(plan);
      // as many as there may be, so that the page itself is read too
      return [{ n: String(CUSTOMERS) }] as object[] as R[];
    },
  };
  for (const start of [{ from: 'head' }, { from: 'after', position: { at: Date.now() - 50_000_000, id: `Cust_${ID}` } }] as const) {
    await readPage(explained, list, start, 20);
  }
  return found;
}

const INSERT = `
  insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, customer_reference, configuration, search)
  select 'Cust_' || gen_random_uuid(), $1, now() - n * interval '1 second', 'c' || n, '{}', array['c' || n || '@x.test'], '{}',
    jsonb_build_object('n', n::text), case n % 3 when 0 then 'active' when 1 then 'inactive' else 'temporary' end, 'r' || n, '{}',
    'c' || n || E'\n' || 'r' || n from generate_series($2::int, $3::int) n`;

describe('lists of a vendor with 100,000 customers', () => {
  // a database of its own goes at once; to delete so many customers would look for what refers to each
  let own: OwnDatabase;
  let vendorId: string;
  beforeAll(async () => {
    own = await ownDatabase();
    vendorId = (await createVendor(own.db, 'Large')).vendorId;
    for (let before = 0; before < CUSTOMERS; before += AT_ONCE) await own.db.query(INSERT, [vendorId, before + 1, before + AT_ONCE]);
    await own.db.query('vacuum analyze customer');
  });
  afterAll(() => own.drop());

  it.each(filters)('find customers by %s without reading them all', async (_, filter) => {
    expect(await scansOf(own.db, customerList(vendorId, filter), 'customer')).toEqual([]);
  });

  it('of other objects join customers by key', async () => {
    const lists: [List, string][] = [
      [contractList(vendorId, { customer: `Cust_${ID}` }), 'customer'],
      [contractList(vendorId, {}), 'customer'],
      [invoiceList(vendorId, { status: 'paid' }), 'customer'],
      [usageList(vendorId, { customer: `Cust_${ID}` }), 'customer'],
      [planList(vendorId, {}), 'customer'],
    ];
    for (const [list, table] of lists) expect(await scansOf(own.db, list, table)).toEqual([]);
  });
});
