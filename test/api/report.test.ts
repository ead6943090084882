import { addUpFigures } from '../../db/sql/figure/add-up.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { flat } from '../support/story-catalogue.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, feedback, withScope } from './support.ts';

const SPAN = 'from=2020-01-01&to=2090-01-01';
const PATHS = [
  ...[`/v1/c/report/mrr?${SPAN}`, `/v1/c/report/mrr/contract?${SPAN}`, '/v1/c/report/revenue?from=2025-01-01&to=2026-01-01'],
  ...['/v1/c/report/aging?', '/v1/c/ledger?', '/v1/c/ledger/balance?'],
];

async function signed(api: Api, price: string, testClock?: string): Promise<void> {
  const pricings = [{ currency: 'usd', cycle: 'month', price: flat(price) }];
  const slug = `plan-${price.replace('.', '-')}`;
  const plan = await api.made('/v1/c/plan', { slug, internal_name: slug, strategy: 'plan', features: [], pricings });
  const customer = await api.made('/v1/c/customer', { name: slug, ...(testClock === undefined ? {} : { test_clock: testClock }) });
  await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
}

describe('reports', () => {
  let vendor: TestVendor;
  let api: Api;
  let clock: string;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
    clock = (await clockOf(vendor, '2025-03-31T00:00:00.000Z')).id;
    await signed(api, '31.00');
    await signed(api, '7.00', clock);
  });

  it.each(['/v1/c/report/mrr', '/v1/c/report/mrr/contract', '/v1/c/report/revenue'])(
    '%s names what is wrong with its span',
    async (path) => {
      const wrong = async (query: string) => {
        const answer = await api.get(`${path}?${query}`);
        return [answer.status, Object.keys(feedback(answer)).sort()];
      };
      expect(await wrong('')).toEqual([400, ['from', 'to']]);
      expect(await wrong('from=2025-02-30&to=soon')).toEqual([400, ['from', 'to']]);
      expect(await wrong('from=2025-02-01&to=2025-02-01')).toEqual([400, ['to']]);
      expect(await wrong('from=2025-02-01&to=2025-01-01T00:00:00%2B01:00')).toEqual([400, ['to']]);
      expect(await wrong('from=2025-01-01&to=2025-02-01&test_clock=mine&month=1')).toEqual([400, ['month', 'test_clock']]);
    },
  );

  it('a date that is missing is required, one that is wrong must be a date', async () => {
    const said = async (path: string) => feedback(await api.get(path));
    expect(await said('/v1/c/report/mrr?from=soon')).toEqual({
      from: 'must be a date, or must be a date-time with seconds, and with Z or an offset, like 2026-01-31T00:00:00Z',
      to: 'is required',
    });
    expect(feedback(await api.post('/v1/c/test_clock', {}))).toEqual({ now: 'is required' });
  });

  it('of revenue show at most 46 years; of moves only kinds and currencies that there are', async () => {
    const long = await api.get('/v1/c/report/revenue?from=1990-01-01&to=2090-01-01');
    expect([long.status, Object.keys(feedback(long))]).toEqual([400, ['to']]);
    const moves = await api.get(`/v1/c/report/mrr/contract?${SPAN}&move=growth&currency=xau`);
    expect([moves.status, Object.keys(feedback(moves)).sort()]).toEqual([400, ['currency', 'move']]);
    const ledger = await api.get('/v1/c/ledger?account=cash&after=1');
    expect([ledger.status, Object.keys(feedback(ledger)).sort()]).toEqual([400, ['account', 'after']]);
    const at = await api.get('/v1/c/ledger/balance?at=yesterday');
    expect([at.status, Object.keys(feedback(at))]).toEqual([400, ['at']]);
  });

  it.each(['0000-12-31', '0000-12-31T23:59:59.999Z', '9999-12-31T23:30:00-01:00'])(
    'refuse %s, an instant that no year from 1 to 9999 has',
    async (at) => {
      for (const path of ['/v1/c/ledger/balance', '/v1/c/report/aging']) {
        const answer = await api.get(`${path}?at=${at}`);
        expect([answer.status, Object.keys(feedback(answer))]).toEqual([400, ['at']]);
      }
    },
  );

  it('go up to the last instants of the calendar', async () => {
    const { accounts } = await api.read('/v1/c/ledger/balance?at=9999-12-31T23:59:59.999Z');
    expect(accounts.map(({ balance }: AnyJson) => balance)).toEqual(['31.00', '-31.00']);
    expect((await api.read('/v1/c/report/aging?at=9999-12-31T23:59:59.999Z')).currencies).toMatchObject([{ over_90: '31.00' }]);
    const { currencies } = await api.read('/v1/c/report/revenue?from=9990-01-01&to=9999-12-31T23:59:59.999Z');
    expect(currencies[0].months.at(-1)).toMatchObject({ month: '9999-12', deferred_end: '0.00' });
    expect((await api.read('/v1/c/report/mrr?from=0001-01-01&to=9999-12-31')).currencies).toMatchObject([{ start: '0.00', end: '31.00' }]);
  });

  it('of the ledger go on after a transaction of the same books, and after no other', async () => {
    const [wall] = (await api.read('/v1/c/ledger?')).hits;
    const [onClock] = (await api.read(`/v1/c/ledger?test_clock=${clock}`)).hits;
    expect((await api.read(`/v1/c/ledger?after=${wall.transaction_id}`)).hits).toEqual([]);
    for (const after of ['Txn_01900000-0000-7000-8000-000000000000', onClock.transaction_id]) {
      expect((await api.get(`/v1/c/ledger?after=${after}`)).body).toMatchObject({ status: 404, code: 'transaction_not_found' });
    }
  });

  it.each(PATHS)('%s is for keys that read, of its own vendor and clocks', async (path) => {
    const stranger = (await checkedVendor()).api;
    expect((await stranger.get(`${path}&test_clock=${clock}`)).status).toBe(404);
    const empty = await stranger.read(path);
    expect(empty.hits ?? empty.currencies ?? empty.accounts).toEqual([]);
    expect((await (await withScope(vendor, 'usage')).get(path)).status).toBe(403);
    expect((await (await withScope(vendor, 'read')).get(path)).status).toBe(200);
  });

  it('show the wall clock alone, or one test clock alone', async () => {
    const ends = async (more: string) =>
      (await api.read(`/v1/c/report/mrr?${SPAN}${more}`)).currencies.map(({ end }: AnyJson) => end) as string[];
    expect(await ends('')).toEqual(['31.00']);
    expect(await ends(`&test_clock=${clock}`)).toEqual(['7.00']);
    const { accounts } = await api.read(`/v1/c/ledger/balance?test_clock=${clock}`);
    expect(accounts.map(({ account, balance }: AnyJson) => [account, balance])).toEqual([
      ['receivable', '7.00'],
      ['revenue', '-7.00'],
    ]);
    expect((await api.read('/v1/c/report/aging')).currencies).toMatchObject([{ currency: 'usd', not_due: '31.00' }]);
    const onClock = await api.read(`/v1/c/report/aging?test_clock=${clock}`);
    expect([onClock.at, onClock.currencies[0].not_due]).toEqual(['2025-03-31T00:00:00.000Z', '7.00']);
  });

  it('say the same before and after their notes are added up, and the ledger’s list counts every posting once', async () => {
    const dated = (path: string): string => (/aging|balance/.test(path) ? `${path}at=2025-04-01` : path);
    const read = () => Promise.all(PATHS.map((path) => api.read(`${dated(path)}&test_clock=${clock}`)));
    const before = await read();
    await withTestDatabase(async (db) => {
      while ((await addUpFigures(db, 1_000)) === 1_000);
      const kept = await db.query('select part from figure_sum where vendor_id = $1', [vendor.vendorId]);
      expect(kept.length).toBeGreaterThan(3);
      expect(await checkLedger(db, vendor.vendorId)).toEqual([]);
    });
    expect(await read()).toEqual(before);
    expect(await api.read('/v1/c/ledger?')).toMatchObject({ total: 2 });
    expect(await api.read('/v1/c/ledger?account=revenue')).toMatchObject({ total: 1 });
  });
});
