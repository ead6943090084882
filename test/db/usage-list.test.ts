import { readPage } from '../../db/sql/list/page.ts';
import { type ListedUsage, usageList } from '../../db/sql/usage/list.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

// A customer's share of all events times its vendor's is little: Postgres must not take that for the number of its
// events.

const [BUSY, IDLE] = ['Cust_busy', 'Cust_idle'];
const CONTRACT = 'Cont_busy';
const EVENTS = 2_000;
const OTHERS = 200_000;
const SHOWN = 20;

const CUSTOMER = `
  insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, configuration, search)
  select id, $2, now(), id, '{}', '{}', '{}', '{}', 'active', '{}', id from unnest($1::text[]) id`;
const EVENT = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Use_' || uuidv7(), $1, $2 || case when $5 then (n % 1000)::text else '' end, $3 || case when $5 then (n % 1000)::text else '' end, 1,
    'calls', 1, now() - (n % 2000) * interval '1 minute', now(), '{}' from generate_series(1, $4::int) n`;

describe(`the usage of a customer with ${EVENTS} of ${OTHERS} events`, () => {
  let own: OwnDatabase;
  let vendor: string;

  beforeAll(async () => {
    own = await ownDatabase();
    vendor = (await createVendor(own.db, 'Small')).vendorId;
    await own.db.query(CUSTOMER, [[BUSY, IDLE], vendor]);
    await own.db.query(EVENT, [vendor, BUSY, CONTRACT, EVENTS, false]);
    await own.db.query(EVENT, ['Wbc_other', 'Cust_other', 'Cont_other', OTHERS, true]);
    await own.db.query('vacuum analyze usage_event, customer');
  }, 120_000);
  afterAll(() => own?.drop());

  const filters: [string, Parameters<typeof usageList>[1]][] = [
    ['the customer', { customer: BUSY }],
    ['the contract', { contract: CONTRACT }],
    ['both', { customer: BUSY, contract: CONTRACT }],
    ['the contract and its feature', { contract: CONTRACT, feature: 'calls' }],
  ];
  it.each(filters)('by %s is read from both ends and from the middle, a page at a time', async (_, filter) => {
    const list = { ...usageList(vendor, filter, BUSY), total: undefined };
    const counting = countingReads(own.db, ['usage_month_other']);
    const position = { at: Date.now() - (EVENTS / 2) * 60_000, id: '' };
    const counted = { total: EVENTS, upTo: EVENTS / 2 };
    for (const start of [{ from: 'head' }, { from: 'end' }, { from: 'after', position }, { from: 'before', position }] as const) {
      counting.read = 0;
      const { rows } = await readPage<ListedUsage>(counting, list, start, SHOWN, counted);
      expect({ start, shown: rows.length, customers: new Set(rows.map((row) => row.customer_id)) }).toEqual({
        start,
        shown: SHOWN,
        customers: new Set([BUSY]),
      });
      expect({ start, read: counting.read }).toEqual({ start, read: SHOWN + 1 });
    }
  });

  it.each<[string, Parameters<typeof usageList>[1], string | undefined]>([
    ['another vendor', { customer: BUSY }, undefined],
    ['another vendor, for a contract that isn’t its own', { contract: CONTRACT }, undefined],
  ])('isn’t shown to %s', async (_, filter, owner) => {
    expect(await readPage(own.db, usageList('Wbc_other', filter, owner), { from: 'head' }, SHOWN)).toMatchObject({ rows: [], total: 0 });
    const list = { ...usageList('Wbc_other', filter, owner), total: undefined };
    expect((await readPage(own.db, list, { from: 'head' }, SHOWN, { total: 1, upTo: 0 })).rows).toEqual([]);
  });

  it('isn’t shown for the contract of somebody else', async () => {
    const list = { ...usageList(vendor, { customer: IDLE, contract: CONTRACT }, BUSY), total: undefined };
    expect((await readPage(own.db, list, { from: 'head' }, SHOWN, { total: 1, upTo: 0 })).rows).toEqual([]);
  });
});
