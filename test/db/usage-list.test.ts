import { type Page, readPage, type Start } from '../../db/sql/list/page.ts';
import { type ListedUsage, usageList } from '../../db/sql/usage/list.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

// A customer's share of all events times its vendor's is little: Postgres must not take that for the number of its
// events, nor pass over all events of a customer for a contract that has few of them.

const [BUSY, SELDOM, IDLE, CHANGED] = ['Cust_busy', 'Cust_seldom', 'Cust_idle', 'Cust_changed'];
const EVENTS = 2_000;
const OTHERS = 200_000;
const SHOWN = 20;
/** Of the customer that was changed: an old contract, and two that have followed. */
const [OLD, YOUNG, NEW] = [3_000, 300, 10];
/** Of a feature that one customer seldom uses. */
const RARE = 5;

const CUSTOMER = `
  insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, configuration, search)
  select id, $2, now(), id, '{}', '{}', '{}', '{}', 'active', '{}', id from unnest($1::text[]) id`;
/** One each minute, the latest `skip` minutes ago. */
const EVENT = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Use_' || uuidv7(), $1, $2, $3, 1, $4, 1, now() - (n + $6::int) * interval '1 minute', now(), '{}' from generate_series(1, $5::int) n`;
const OF_OTHERS = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Use_' || uuidv7(), 'Wbc_other', 'Cust_' || n % 1000, 'Cont_' || n % 1000, 1, 'calls', 1, now() - (n % 4000) * interval '1 minute', now(), '{}'
  from generate_series(1, $1::int) n`;

describe(`the usage of customers with some of ${OTHERS} events`, () => {
  let own: OwnDatabase;
  let vendor: string;

  beforeAll(async () => {
    own = await ownDatabase();
    vendor = (await createVendor(own.db, 'Small')).vendorId;
    await own.db.query(CUSTOMER, [[BUSY, SELDOM, IDLE, CHANGED], vendor]);
    await own.db.query(EVENT, [vendor, BUSY, 'Cont_busy', 'messages', EVENTS, 0]);
    await own.db.query(EVENT, [vendor, SELDOM, 'Cont_seldom', 'messages', EVENTS, RARE]);
    await own.db.query(EVENT, [vendor, SELDOM, 'Cont_seldom', 'seats', RARE, 0]);
    await own.db.query(EVENT, [vendor, CHANGED, 'Cont_new', 'messages', NEW, 0]);
    await own.db.query(EVENT, [vendor, CHANGED, 'Cont_young', 'messages', YOUNG, NEW]);
    await own.db.query(EVENT, [vendor, CHANGED, 'Cont_old', 'messages', OLD, NEW + YOUNG]);
    await own.db.query(OF_OTHERS, [OTHERS]);
    await own.db.query('vacuum analyze usage_event, customer');
  }, 120_000);
  afterAll(() => own?.drop());

  const of = (contractId: string, customerId: string, count: number, others = 0) => ({ contractId, customerId, own: count, others });
  const busy = of('Cont_busy', BUSY, EVENTS);
  const filters: [string, Parameters<typeof usageList>[1]][] = [
    ['the customer', { customer: BUSY }],
    ['the customer and its feature', { customer: BUSY, feature: 'messages' }],
    ['the contract', { contract: busy }],
    ['both', { customer: BUSY, contract: busy }],
    ['the contract and its feature', { contract: busy, feature: 'messages' }],
  ];
  it.each(filters)('by %s is read from both ends and from the middle, a page at a time', async (_, filter) => {
    const counting = countingReads(own.db, ['usage_month_other']);
    const position = { at: Date.now() - (EVENTS / 2) * 60_000, id: '' };
    const counted = { total: EVENTS, upTo: EVENTS / 2 };
    const list = { ...usageList(vendor, filter), total: undefined };
    for (const start of [{ from: 'head' }, { from: 'end' }, { from: 'after', position }, { from: 'before', position }] as const) {
      counting.read = 0;
      const { rows } = await readPage<ListedUsage>(counting, list, start, SHOWN, counted);
      expect({ start, shown: rows.length, contracts: new Set(rows.map((row) => row.contract_id)) }).toEqual({
        start,
        shown: SHOWN,
        contracts: new Set(['Cont_busy']),
      });
      expect({ start, read: counting.read }).toEqual({ start, read: SHOWN + 1 });
    }
  });

  it('of a contract’s rare feature costs no more than its own', async () => {
    const counting = countingReads(own.db, ['usage_month_other']);
    const list = { ...usageList(vendor, { contract: of('Cont_seldom', SELDOM, RARE, EVENTS), feature: 'seats' }), total: undefined };
    const { rows } = await readPage<ListedUsage>(counting, list, { from: 'head' }, SHOWN, { total: RARE, upTo: 0 });
    expect(rows.map((row) => row.feature_slug)).toEqual(Array.from({ length: RARE }, () => 'seats'));
    expect(counting.read).toBe(RARE);
  });

  it.each([
    ['of all times', {}],
    ['between two instants', { from: Date.now() - 1_500 * 60_000, to: Date.now() - 400 * 60_000 }],
  ])('%s is the same in both ways, page by page in both directions, also where one takes over from the other', async (_, times) => {
    const [passing, sorting] = [of('Cont_old', CHANGED, OLD), of('Cont_old', CHANGED, OLD, OLD)].map((contract) => ({
      ...usageList(vendor, { contract, ...times }),
      total: undefined,
    }));
    if (passing === undefined || sorting === undefined) throw new Error('two lists');
    const idsOf = async (lists: (typeof passing)[], direction: 'after' | 'before'): Promise<string[]> => {
      const ids: string[] = [];
      let start: Start = { from: direction === 'after' ? 'head' : 'end' };
      for (let n = 0; n < 6; n += 1) {
        const list = lists[n % lists.length] ?? passing;
        const page: Page<ListedUsage> = await readPage<ListedUsage>(own.db, list, start, 200, { total: OLD, upTo: 0 });
        const found = page.rows.map(({ id }) => id);
        ids.push(...(direction === 'after' ? found : found.reverse()));
        const position = direction === 'after' ? page.last : page.first;
        if (position === null) break;
        start = { from: direction, position };
      }
      return ids;
    };
    for (const direction of ['after', 'before'] as const) {
      const ids = await idsOf([passing], direction);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(1_000);
      expect(await idsOf([sorting], direction)).toEqual(ids);
      expect(await idsOf([passing, sorting], direction)).toEqual(ids);
    }
  });

  it.each([
    ['Cont_new', NEW, OLD + YOUNG],
    ['Cont_young', YOUNG, OLD + NEW],
    ['Cont_old', OLD, YOUNG + NEW],
  ] as const)(
    'of %s, one of a customer’s three contracts, costs no more than the fewer: its own %i or the others’ %i',
    async (id, count, others) => {
      const counting = countingReads(own.db, ['usage_month_other']);
      const list = { ...usageList(vendor, { contract: of(id, CHANGED, count, others) }), total: undefined };
      for (const from of ['head', 'end'] as const) {
        counting.read = 0;
        const { rows } = await readPage<ListedUsage>(counting, list, { from }, SHOWN, { total: count, upTo: 0 });
        expect(rows.map((row) => row.contract_id)).toEqual(Array.from({ length: Math.min(SHOWN, count) }, () => id));
        expect(counting.read).toBeGreaterThanOrEqual(rows.length);
        expect(counting.read).toBeLessThanOrEqual(Math.min(count, others) + SHOWN + 1);
      }
    },
  );

  it.each<[string, () => Parameters<typeof usageList>]>([
    ['another vendor', () => ['Wbc_other', { customer: BUSY }]],
    ['another vendor by the contract', () => ['Wbc_other', { contract: busy }]],
    ['those who ask for a contract that the vendor doesn’t have', () => [vendor, { contract: null }]],
    ['another customer', () => [vendor, { customer: IDLE, contract: busy }]],
  ])('isn’t shown to %s', async (_, asked) => {
    expect(await readPage(own.db, usageList(...asked()), { from: 'head' }, SHOWN)).toMatchObject({ rows: [], total: 0 });
    const list = { ...usageList(...asked()), total: undefined };
    expect((await readPage(own.db, list, { from: 'head' }, SHOWN, { total: 1, upTo: 0 })).rows).toEqual([]);
  });
});
