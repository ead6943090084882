import type { Database } from '../../db/connect.ts';
import { contractList } from '../../db/sql/contract/list.ts';
import { type CustomerFilter, customerList } from '../../db/sql/customer/list.ts';
import { invoiceList } from '../../db/sql/invoice/list.ts';
import type { List } from '../../db/sql/list/list.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { planList } from '../../db/sql/plan/list.ts';
import { usageList } from '../../db/sql/usage/list.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor } from '../support/vendor.ts';

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
const DELETE = 'delete from customer where id in (select id from customer where vendor_id = $1 limit $2)';

async function deleteCustomers(db: Database, vendorId: string): Promise<void> {
  for (let left = CUSTOMERS; left > 0; left -= AT_ONCE) await db.query(DELETE, [vendorId, AT_ONCE]);
}

describe('lists of a vendor with 100,000 customers', () => {
  let vendorId: string;
  beforeAll(async () => {
    vendorId = (await newVendor('Large')).vendorId;
    await withTestDatabase(async (db) => {
      for (let before = 0; before < CUSTOMERS; before += AT_ONCE) await db.query(INSERT, [vendorId, before + 1, before + AT_ONCE]);
      await db.query('vacuum analyze customer');
    });
  });
  afterAll(() => withTestDatabase((db) => deleteCustomers(db, vendorId)));

  it.each(filters)('find customers by %s without reading them all', async (_, filter) => {
    expect(await withTestDatabase((db) => scansOf(db, customerList(vendorId, filter), 'customer'))).toEqual([]);
  });

  it('of other objects join customers by key', async () => {
    const lists: [List, string][] = [
      [contractList(vendorId, { customer: `Cust_${ID}` }), 'customer'],
      [contractList(vendorId, {}), 'customer'],
      [invoiceList(vendorId, { status: 'paid' }), 'customer'],
      [usageList(vendorId, { customer: `Cust_${ID}` }), 'customer'],
      [planList(vendorId, {}), 'customer'],
    ];
    for (const [list, table] of lists) expect(await withTestDatabase((db) => scansOf(db, list, table))).toEqual([]);
  });
});
