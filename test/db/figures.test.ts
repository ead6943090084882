import { postingList } from '../../db/sql/figure/list-postings.ts';
import { sumsBefore } from '../../db/sql/figure/sums-before.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor } from '../support/vendor.ts';

const TRANSACTIONS = 40_000;
const BEGIN = Date.parse('2024-01-01T00:00:00Z');
const MINUTE = 60_000;

/** A month of payments, a minute apart, and a loss: each two postings. */
const INSERT = [
  `insert into ledger_account (id, vendor_id, kind, owner, currency) values
    ($1 || '/clearing/sandbox/usd', $1, 'clearing', 'sandbox', 'usd'), ($1 || '/receivable/Cust_1/usd', $1, 'receivable', 'Cust_1', 'usd'),
    ($1 || '/losses//eur', $1, 'losses', '', 'eur'), ($1 || '/grants//eur', $1, 'grants', '', 'eur')`,
  `insert into ledger_transaction (id, vendor_id, clock_id, customer_id, kind, occasion, at)
    select 'Txn_' || $1 || n, $1, '', 'Cust_1', 'payment', $1 || n, timestamptz '2024-01-01' + n * interval '1 minute' from generate_series(1, ${TRANSACTIONS + 1}) n`,
  `insert into ledger_posting (transaction_id, account_id, amount)
    select 'Txn_' || $1 || n, $1 || account, amount
    from generate_series(1, ${TRANSACTIONS}) n, (values ('/clearing/sandbox/usd', 1.00), ('/receivable/Cust_1/usd', -1.00)) as a(account, amount)
    union all select 'Txn_' || $1 || ${TRANSACTIONS + 1}, $1 || account, amount from (values ('/losses//eur', 5.00), ('/grants//eur', -5.00)) as a(account, amount)`,
  `insert into figure_sum (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select t.vendor_id, t.clock_id, 'ledger', a.kind, a.currency, date_trunc('day', t.at), sum(p.amount), count(*)
    from ledger_transaction t join ledger_posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
    where t.vendor_id = $1 group by 1, 2, 4, 5, 6`,
];

/** 300 payments of one instant, of two postings each. */
const AT_ONE_INSTANT = [
  `insert into ledger_account (id, vendor_id, kind, owner, currency) values
    ($1 || '/receivable/Cust_1/usd', $1, 'receivable', 'Cust_1', 'usd'), ($1 || '/clearing/sandbox/usd', $1, 'clearing', 'sandbox', 'usd')`,
  `insert into ledger_transaction (id, vendor_id, clock_id, customer_id, kind, occasion, at)
    select 'Txn_' || $1 || lpad(((n * 7919) % 300)::text, 3, '0'), $1, '', 'Cust_1', 'payment', $1 || n, timestamptz '2024-02-01' from generate_series(0, 299) n`,
  `insert into ledger_posting (transaction_id, account_id, amount)
    select 'Txn_' || $1 || lpad(n::text, 3, '0'), $1 || account, amount
    from generate_series(0, 299) n, (values ('/receivable/Cust_1/usd', -1.00), ('/clearing/sandbox/usd', 1.00)) as a(account, amount)`,
  `insert into figure_sum (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select t.vendor_id, t.clock_id, 'ledger', a.kind, a.currency, date_trunc('day', t.at), sum(p.amount), count(*)
    from ledger_transaction t join ledger_posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
    where t.vendor_id = $1 group by 1, 2, 4, 5, 6`,
];

describe('the books of a vendor with 80,000 postings', () => {
  let owner: { vendorId: string; clockId: string };
  beforeAll(async () => {
    const { vendorId } = await newVendor('Many postings');
    owner = { vendorId, clockId: '' };
    await withTestDatabase(async (db) => {
      for (const sql of INSERT) await db.query(sql, [vendorId]);
      for (const table of ['ledger_transaction', 'ledger_posting', 'ledger_account', 'figure_sum']) await db.query(`analyze ${table}`);
    });
  });

  it('has each posting once on pages of 7, and behind each transaction, where hundreds are of one instant', async () => {
    const { vendorId } = await newVendor('One instant');
    const same = { vendorId, clockId: '' };
    await withTestDatabase(async (db) => {
      for (const sql of AT_ONE_INSTANT) await db.query(sql, [vendorId]);
      const all = await readPage<{ transaction_id: string; account: string }>(db, postingList(same, {}), { from: 'head' }, 1_000);
      const keyOf = (row: { transaction_id: string; account: string }) => `${row.transaction_id} ${row.account}`;
      expect(new Set(all.rows.map(keyOf)).size).toBe(600);
      const seen: string[] = [];
      for (let start: Parameters<typeof readPage>[2] | null = { from: 'head' }; start !== null; ) {
        const page: typeof all = await readPage(db, postingList(same, {}), start, 7);
        seen.push(...page.rows.map(keyOf));
        start = page.last === null ? null : { from: 'after', position: page.last };
      }
      expect(seen).toEqual(all.rows.map(keyOf));
      const middle = all.rows[301]?.transaction_id ?? '';
      const behind = await readPage<{ transaction_id: string; account: string }>(
        db,
        postingList(same, { after: middle }),
        { from: 'head' },
        1_000,
      );
      expect(behind.rows.map(keyOf)).toEqual(all.rows.slice(302).map(keyOf));
    });
  });

  /** The most rows that one step of the plans of some work looks at. */
  async function mostRows(work: (db: Parameters<typeof readPage>[0]) => Promise<unknown>): Promise<number> {
    let most = 0;
    await withTestDatabase(async (db) => {
      const query = async <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> => {
        const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off, summary off) ${sql}`, params);
        const counts = plan.flatMap((line) => [...line['QUERY PLAN'].matchAll(/actual rows=([\d.]+) loops=(\d+)/g)]);
        most = Math.max(most, ...counts.map(([, rows, loops]) => Number(rows) * Number(loops)));
        return db.query<R>(sql, params);
      };
      await work({ query });
    });
    return most;
  }

  it('are listed by page: a page of 20 in the middle reads no more than a few hundred rows', async () => {
    const position = { at: BEGIN + 20_000 * MINUTE, id: `Txn_${owner.vendorId}20000/receivable` };
    const counted = { total: 2 * TRANSACTIONS, upTo: 40_000 };
    for (const account of [undefined, 'clearing'] as const) {
      const list = postingList(owner, { account });
      let first = '';
      const rows = await mostRows(async (db) => {
        const page = await readPage<{ transaction_id: string }>(db, list, { from: 'after', position }, 20, counted);
        expect([page.rows.length, page.total]).toEqual([20, account === undefined ? 80_002 : 40_000]);
        first = page.rows[0]?.transaction_id ?? '';
      });
      expect(first).toBe(`Txn_${owner.vendorId}20001`);
      expect(rows).toBeLessThan(500);
    }
  });

  it('are listed by an account with few of them without reading the others', async () => {
    const rows = await mostRows(async (db) => {
      const page = await readPage(db, postingList(owner, { account: 'losses' }), { from: 'head' }, 20);
      expect(page).toMatchObject({ rows: [{ account: 'losses', amount: '5.00', currency: 'eur' }], total: 1 });
    });
    expect(rows).toBeLessThan(100);
  });

  it('have a balance at any instant, what happened at it included, that reads the postings of one day alone: 1,440 payments', async () => {
    const at = BEGIN + 20_000 * MINUTE;
    const rows = await mostRows(async (db) => {
      expect(await sumsBefore(db, 'ledger', owner, at)).toEqual([
        { part: 'clearing', currency: 'usd', amount: '20000.00' },
        { part: 'receivable', currency: 'usd', amount: '-20000.00' },
      ]);
    });
    expect(rows).toBeLessThan(4 * 1_440);
  });
});
