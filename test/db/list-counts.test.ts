import type { Database, Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';
import { contractList } from '../../db/sql/contract/list.ts';
import { customerList } from '../../db/sql/customer/list.ts';
import { eventList } from '../../db/sql/event/list.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { addUpChanges } from '../../db/sql/list/add-up-changes.ts';
import { addUpCustomers } from '../../db/sql/list/add-up-customers.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { usageList } from '../../db/sql/usage/list.ts';
import { blankCustomer } from '../../services/customer/save.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { signedContract } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { countingReads } from '../support/rows-read.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const NOW = Date.parse('2026-03-01');
const none = { metadataKeys: [], metadataEntries: {} };

/** Customers a second apart, active and inactive in turn. */
async function insertCustomers(db: Queryable, vendorId: string, count: number): Promise<void> {
  const blank = blankCustomer(vendorId, null, NOW);
  await insertRows(
    db,
    'customer',
    Array.from({ length: count }, (_, n) => ({
      id: newId('Cust'),
      vendor_id: vendorId,
      created: stamp(NOW + n * 1000),
      name: `n${n}`,
      emails: {},
      email_keys: [],
      addresses: {},
      metadata: {},
      status: n % 2 === 0 ? 'active' : 'inactive',
      configuration: blank.configuration,
      search: `n${n}`,
      default_payment: 'none',
    })),
  );
}

const REPORT = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Use_' || uuidv7(), $1, 'Cust_1', 'Cont_1', 1, slug, 1, now(), now(), '{}' from unnest($2::text[]) slug`;

const totalOf = async (db: Database, vendorId: string): Promise<number> =>
  (await readPage(db, customerList(vendorId, none), { from: 'head' }, 0)).total;

describe('customers by a plan, or by its name', () => {
  it('are counted once each, whatever contracts of such plans they have, and those who canceled not at all', async () => {
    const { api, vendorId } = await newVendor();
    const price = { amount: '10', strategy_details: { pricing_strategy: 'flat' } };
    const planOf = (slug: string, name: string) => {
      const pricings = [{ currency: 'usd', cycle: 'month', price, features: {} }];
      return api.made('/v1/c/plan', { slug, internal_name: name, strategy: 'plan', features: [], pricings });
    };
    const [team, other, solo] = [await planOf('team', 'Team'), await planOf('team-2', 'Team'), await planOf('solo', 'Solo')];
    const sign = async (...plans: string[]) => {
      const customer = await api.made('/v1/c/customer', { name: 'Acme' });
      const ids: string[] = [];
      for (const plan of plans) ids.push(await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' }));
      return { customer, ids };
    };
    const both = await sign(team, other);
    const one = await sign(other, solo);
    const { ids } = await sign(team);
    await api.made(`/v1/c/contract/${ids[0]}/cancel`, { when: { type: 'now' } });
    await withTestDatabase(async (db) => {
      const counting = countingReads(db, ['customer', 'contract']);
      for (const [filter, found] of [
        [{ planName: 'Team' }, [both, one]],
        [{ planId: team }, [both]],
        [{ planId: other }, [both, one]],
        [{ planId: solo }, [one]],
        [{ planId: solo, planName: 'Team' }, [one]],
        [{ planId: team, status: 'inactive' }, []],
      ] as const) {
        const list = customerList(vendorId, { ...none, ...filter });
        const { total, rows } = await readPage<{ id: string }>(db, list, { from: 'head' }, 10);
        expect({ filter, total, rows: rows.map(({ id }) => id) }).toEqual({
          filter,
          total: found.length,
          rows: found.map(({ customer }) => customer),
        });
      }
      for (const added of [false, true]) {
        if (added) await addUpCustomers(db, 1_000_000);
        for (const filter of [{ planName: 'Team' }, { planId: other }])
          expect((await readPage(counting, customerList(vendorId, { ...none, ...filter }), { from: 'head' }, 0)).total).toBe(2);
        expect(counting.read).toBe(0);
      }
    });
  });

  it('are once each while a change to the same plan waits', async () => {
    const vendor = await newVendor();
    const { contractId, planId } = await signedContract(vendor);
    const fewer = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '4' } };
    await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, { upgrade_configuration: fewer });
    await withTestDatabase(async (db) => {
      const statuses = await db.query('select status from contract where vendor_id = $1 order by status', [vendor.vendorId]);
      expect(statuses).toEqual([{ status: 'active' }, { status: 'scheduled' }]);
      const { total } = await readPage(db, customerList(vendor.vendorId, { ...none, planId }), { from: 'head' }, 0);
      expect(total).toBe(1);
    });
  });

  it('are those whose change to the plan waits too, and no longer those who have left it', async () => {
    const { api, vendorId } = await newVendor();
    const planOf = (slug: string, amount: string) => {
      const pricings = [
        { currency: 'usd', cycle: 'month', price: { amount, strategy_details: { pricing_strategy: 'flat' } }, features: {} },
      ];
      return api.made('/v1/c/plan', { slug, internal_name: slug, strategy: 'plan', features: [], pricings });
    };
    const [big, small] = [await planOf('big', '20'), await planOf('small', '10')];
    const clock = await api.made('/v1/c/test_clock', { now: '2026-01-01T00:00:00Z' });
    const customer = await api.made('/v1/c/customer', { name: 'Acme', test_clock: clock });
    const contract = await api.made('/v1/c/contract', { customer, plan: big, currency: 'usd', cycle: 'month' });
    const toSmall = { upgrade_strategy: 'new_plan', plan_id: small };
    const totals = async () => [
      (await api.read(`/v1/c/customer?plan=${big}&limit=0`)).total,
      (await api.read(`/v1/c/customer?plan=${small}&limit=0`)).total,
    ];
    expect(await totals()).toEqual([1, 0]);
    await api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration: toSmall });
    expect(await totals()).toEqual([1, 1]);
    await api.made(`/v1/c/test_clock/${clock}/advance`, { now: '2026-02-01T00:00:00Z' });
    await eventually(async () => expect(await totals()).toEqual([0, 1]));
    await withTestDatabase(async (db) => {
      await addUpCustomers(db, 1_000_000);
      const kept = await db.query(`select part, n from list_count where vendor_id = $1 and list = 'customer_of_plan' and n <> 0`, [
        vendorId,
      ]);
      expect(kept).toEqual([{ part: small, n: '1' }]);
    });
  });

  it('are counted once each where both of their contracts begin and end side by side, however changes are added up', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase(async (db) => {
      const total = async () => (await readPage(db, customerList(vendorId, { ...none, planName: 'Team' }), { from: 'head' }, 0)).total;
      const change = (customer: string, n: number) =>
        db.query(
          `insert into customer_by_plan_change (vendor_id, list, part, customer_id, n) values ($1, 'customer_of_plan_name', 'Team', $2, $3)`,
          [vendorId, customer, n],
        );
      const seen: number[] = [];
      for (const [customer, n] of [
        ['Cust_1', 1],
        ['Cust_1', 1],
        ['Cust_2', -1],
        ['Cust_2', 1],
        ['Cust_1', -1],
        ['Cust_2', 1],
        ['Cust_1', -1],
      ] as const) {
        await change(customer, n);
        const before = await total();
        if (seen.length % 2 === 0) await addUpCustomers(db, 1_000_000);
        expect(await total()).toBe(before);
        seen.push(before);
      }
      expect(seen).toEqual([1, 1, 1, 1, 1, 2, 1]);
    });
  });

  it('leave no row behind once none of their contracts lives, and come back as ever', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase(async (db) => {
      const kept = () =>
        db.query('select customer_id as customer, n from customer_by_plan where vendor_id = $1 order by customer_id', [vendorId]);
      const total = async () => (await readPage(db, customerList(vendorId, { ...none, planName: 'Team' }), { from: 'head' }, 0)).total;
      const change = async (customer: string, n: number): Promise<void> => {
        await db.query(
          `insert into customer_by_plan_change (vendor_id, list, part, customer_id, n) values ($1, 'customer_of_plan_name', 'Team', $2, $3)`,
          [vendorId, customer, n],
        );
        await addUpCustomers(db, 1_000_000);
      };
      await change('Cust_1', 1);
      await change('Cust_2', 1);
      await change('Cust_1', -1);
      expect(await total()).toBe(1);
      await addUpCustomers(db, 1_000_000);
      expect(await kept()).toEqual([{ customer: 'Cust_2', n: 1 }]);
      await change('Cust_1', 1);
      await change('Cust_2', -1);
      await change('Cust_2', 1);
      await addUpCustomers(db, 1_000_000);
      expect([await total(), await kept()]).toEqual([
        2,
        [
          { customer: 'Cust_1', n: 1 },
          { customer: 'Cust_2', n: 1 },
        ],
      ]);
    });
  });
});

describe('contracts of a plan', () => {
  it('are counted without a look at any, also by status, as they begin, change and end', async () => {
    const vendor = await newVendor();
    const { vendorId, api } = vendor;
    const { contractId, planId, customerId } = await signedContract(vendor);
    const other = await api.made('/v1/c/customer', { name: 'Other' });
    await api.made('/v1/c/contract', { customer: other, plan: planId, currency: 'usd', cycle: 'month' });
    const more = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } };
    await api.made(`/v1/c/contract/${contractId}/upgrade`, { upgrade_configuration: more });
    await withTestDatabase(async (db) => {
      const counting = countingReads(db, ['contract']);
      const totals = async () => {
        const read: number[] = [];
        for (const status of [undefined, 'active', 'moved', 'canceled'])
          read.push((await readPage(counting, contractList(vendorId, { plan: planId, status }), { from: 'head' }, 0)).total);
        return read;
      };
      expect(await totals()).toEqual([3, 2, 1, 0]);
      await addUpChanges(db, 1_000_000);
      const live = await api.read(`/v1/c/contract?customer=${customerId}&status=active`);
      await api.made(`/v1/c/contract/${live.hits[0].id}/cancel`, { when: { type: 'now' } });
      expect(await totals()).toEqual([3, 1, 1, 1]);
      expect(counting.read).toBe(0);
      const counted = await readPage(db, contractList(vendorId, { plan: planId, customer: customerId }), { from: 'head' }, 10);
      expect([counted.total, counted.rows.length]).toEqual([2, 2]);
    });
  });
});

describe('the kept count of a plain list', () => {
  it('follows inserts, deletes and what is rolled back, also while changes are added up', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase(async (db) => {
      await insertCustomers(db, vendorId, 7);
      expect(await totalOf(db, vendorId)).toBe(7);
      await addUpChanges(db, 1_000);
      await db.query('delete from customer where vendor_id = $1 and name = any($2::text[])', [vendorId, ['n1', 'n2']]);
      const undone = db.transaction(async (tx) => {
        await insertCustomers(tx, vendorId, 50);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await totalOf(db, vendorId)).toBe(5);
      const writing = Array.from({ length: 20 }, () => insertCustomers(db, vendorId, 3));
      const adding = Array.from({ length: 20 }, () => addUpChanges(db, 2));
      await Promise.all([...writing, ...adding]);
      expect(await totalOf(db, vendorId)).toBe(65);
    });
  });

  it('has a part for each status, which rows leave and enter', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase(async (db) => {
      const parts = async () =>
        Promise.all(
          ['active', 'inactive', 'temporary'].map(
            async (status) => (await readPage(db, customerList(vendorId, { ...none, status }), { from: 'head' }, 0)).total,
          ),
        );
      await insertCustomers(db, vendorId, 7);
      expect(await parts()).toEqual([4, 3, 0]);
      await addUpChanges(db, 1_000);
      await db.query(`update customer set status = 'temporary' where vendor_id = $1 and name in ('n0', 'n1')`, [vendorId]);
      await db.query(`update customer set name = 'other' where vendor_id = $1`, [vendorId]);
      await db.query(`delete from customer where vendor_id = $1 and status = 'inactive'`, [vendorId]);
      expect(await parts()).toEqual([3, 0, 2]);
      await addUpChanges(db, 1_000);
      expect([...(await parts()), await totalOf(db, vendorId)]).toEqual([3, 0, 2, 5]);
    });
  });

  it('has a part for each feature of usage', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase(async (db) => {
      const counting = countingReads(db, ['contract', 'usage_counter', 'usage_event']);
      const totals = async () => {
        const pages = [{ feature: 'calls' }, { feature: 'seats' }, { feature: 'none' }, {}].map((filter) => usageList(vendorId, filter));
        const read = [];
        for (const list of pages) read.push((await readPage(counting, list, { from: 'head' }, 0)).total);
        return read;
      };
      const report = (calls: number, seats: number) =>
        db.query(REPORT, [vendorId, [...Array<string>(calls).fill('calls'), ...Array<string>(seats).fill('seats')]]);
      await report(3, 2);
      expect(await totals()).toEqual([3, 2, 0, 5]);
      await addUpChanges(db, 1_000);
      await report(1, 0);
      await db.query(`delete from usage_event where vendor_id = $1 and feature_slug = 'seats'`, [vendorId]);
      expect(await totals()).toEqual([4, 0, 0, 4]);
      expect(counting.read).toBe(0);
      await db.query('delete from usage_event where vendor_id = $1', [vendorId]);
    });
  });

  it('makes no transaction wait for another that adds to the same list', async () => {
    const { vendorId } = await newVendor();
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        await one.transaction(async (tx) => {
          await insertCustomers(tx, vendorId, 2);
          await insertCustomers(other, vendorId, 1);
          expect(await totalOf(other, vendorId)).toBe(1);
        });
        expect(await totalOf(other, vendorId)).toBe(3);
      }),
    );
  });

  it('of the log counts an event from the moment its readers see it', async () => {
    const { vendorId } = await newVendor();
    const event = () => ({ vendorId, type: 'v1.customer.created' as const, objectId: newId('Cust'), at: NOW, data: {} });
    const seen = async (db: Database) => {
      const settled = await settledSeq(db, vendorId);
      const read = (filter: { type?: string }) => readPage(db, eventList(vendorId, settled, filter), { from: 'head' }, 100);
      const [all, made, paid] = [await read({}), await read({ type: 'v1.customer.created' }), await read({ type: 'v1.invoice.paid' })];
      return [all.rows.length, all.total, made.total, paid.total];
    };
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        await one.transaction(async (tx) => {
          await publish(tx, [event()]);
          await other.transaction((later) => publish(later, [event()]));
          await addUpChanges(other, 1_000);
          expect(await seen(other)).toEqual([0, 0, 0, 0]);
        });
        // another test's transaction may be older
        await eventually(async () => expect(await seen(other)).toEqual([2, 2, 2, 0]));
      }),
    );
  });
});

describe('a list of 2,402 customers, of whom 1,201 are active', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await newVendor();
    await withTestDatabase((db) => insertCustomers(db, vendor.vendorId, 2_402));
  });

  /** Pages by following `forward` or `backward`. */
  async function walk(query: string, next: 'forward' | 'backward'): Promise<AnyJson[]> {
    const pages: AnyJson[] = [];
    for (let cursor = ''; cursor !== null; ) {
      const page: AnyJson = await vendor.api.read(`/v1/c/customer?limit=100&${query}${cursor === '' ? '' : `&offset=${cursor}`}`);
      pages.push(page);
      cursor = page[next];
    }
    return pages;
  }

  it.each([
    ['forward', 'status=active', 1_201],
    ['backward', 'status=active&direction=backward', 1_201],
    ['forward', '', 2_402],
    ['backward', 'direction=backward', 2_402],
  ] as const)('is walked %s (%s): each page has its number and the total, each hit comes once', async (next, query, total) => {
    const pages = await walk(query, next);
    const count = Math.ceil(total / 100);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect(pages.map((page) => page.current_page)).toEqual(next === 'forward' ? numbers : numbers.toReversed());
    expect(new Set(pages.map((page) => `${page.total} ${page.total_pages}`))).toEqual(new Set([`${total} ${count}`]));
    expect(new Set(pages.flatMap((page) => page.hits.map(({ id }: { id: string }) => id))).size).toBe(total);
  });

  it('keeps the total of the first page while customers leave the filter, and the end is where the hits end', async () => {
    const [first] = await walk('status=inactive&search=n', 'forward');
    await withTestDatabase((db) =>
      db.query(`update customer set status = 'active' where vendor_id = $1 and status = 'inactive' and created > $2`, [
        vendor.vendorId,
        stamp(NOW + 250_000),
      ]),
    );
    const second = await vendor.api.read(`/v1/c/customer?limit=100&status=inactive&search=n&offset=${first.forward}`);
    expect([second.current_page, second.total, second.hits.length, second.forward]).toEqual([2, 1_201, 25, null]);
    for (const filter of ['status=inactive', 'status=inactive&search=n'])
      expect(await vendor.api.read(`/v1/c/customer?limit=0&${filter}`)).toMatchObject({ total: 125 });
    expect(await vendor.api.read('/v1/c/customer?limit=0&status=active')).toMatchObject({ total: 2_277 });
  });

  it('is counted again where a cursor comes with another filter', async () => {
    const first = await vendor.api.read('/v1/c/customer?limit=100');
    const second = await vendor.api.read(`/v1/c/customer?limit=100&search=n1&offset=${first.forward}`);
    expect(second).toMatchObject({ total: 1_111, hits: expect.arrayContaining([expect.objectContaining({ name: 'n100' })]) });
  });

  it('has a last page that is the short rest, from any page', async () => {
    const first = await vendor.api.read('/v1/c/customer?limit=100');
    const last = await vendor.api.read(`/v1/c/customer?limit=100&offset=${first.last}`);
    expect([last.hits.length, last.current_page, last.forward]).toEqual([2, 25, null]);
    expect((await vendor.api.read(`/v1/c/customer?limit=100&offset=${last.backward}`)).current_page).toBe(24);
  });
});
