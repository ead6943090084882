import { HOUR, iso } from '../../billing/calendar/instant.ts';
import { connect, type Database } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { planBody } from '../api/support.ts';
import { booksOf, expectSettled, tally, usageOf } from '../concurrency/books.ts';
import { type Api, api, type TestResponse } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds } from '../support/runs.ts';
import { secondApi } from '../support/second-api.ts';
import { secondWorker } from '../support/second-worker.ts';
import type { TestVendor } from '../support/vendor.ts';

/** APIs, and as many workers, on one database. */
const PROCESSES = rounds(2, 4) === 2 ? 2 : 4;
const CUSTOMERS = 12;
const EVENTS = 8;
/** Enough for a bill run. */
const HERD = 60;
const SECOND = 1_000;
/** From the first signing to the instant at which all are due; what is signed later is billed at once. */
const SIGNING_MS = 20_000;

let stack: OwnStack;
let others: { stop(): Promise<void> }[];
let db: Database;
let vendor: TestVendor;
/** the same vendor at each API */
let apis: Api[];
beforeAll(async () => {
  stack = await ownStack();
  db = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 3 });
  vendor = await stack.newVendor();
  const more = await Promise.all(Array.from({ length: PROCESSES - 1 }, () => secondApi(stack.servers)));
  others = [...more, ...more.map(() => secondWorker(stack.servers))];
  apis = [vendor.api, ...more.map(({ baseUrl }) => api(vendor.apiKey, baseUrl))];
});
afterAll(async () => {
  await Promise.all((others ?? []).map((one) => one.stop()));
  await db?.close();
  await stack?.stop();
});

const all = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));
const apiOf = (n: number): Api => apis[n % apis.length] as Api;
/** A call under a key; while a busy machine answers 503 it is sent again, as a caller does. */
const sent = (to: Api, path: string, body: unknown, key: string): Promise<TestResponse> =>
  eventually(
    async () => {
      const answer = await to.post(path, body, { 'idempotency-key': key });
      if (answer.status === 503) throw new Error(`${path} answered 503`);
      return answer;
    },
    { every: 500 },
  );
/** The same call to every API at the same moment. */
const everywhere = (path: string, body: unknown, key: string): Promise<TestResponse[]> =>
  Promise.all(apis.map((one) => sent(one, path, body, key)));
const successes = (answers: readonly TestResponse[]): TestResponse[] => answers.filter(({ status }) => status < 300);

it(`${PROCESSES} APIs and ${PROCESSES} workers: no signing, event, change, period or invoice is lost, wrong or there twice`, async () => {
  const plan = await vendor.api.made('/v1/c/plan', planBody('shared'));
  const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
  const customers = await all(CUSTOMERS, (n) => apiOf(n).made('/v1/c/customer', { name: `Customer ${n}`, test_clock: clock.id }));

  // one signing, sent to every API under one key
  const signed = await all(CUSTOMERS, async (n) => {
    const body = { customer: customers[n], plan, currency: 'usd', cycle: 'month' };
    const answers = await everywhere('/v1/c/contract', body, `sign-${n}`);
    expectSettled(answers);
    expect(new Set(successes(answers).map(({ body: id }) => id)).size).toBe(1);
    return String(successes(answers)[0]?.body);
  });

  // every event too; meanwhile two different changes of every third contract
  const event = (n: number) => ({ customer_id: customers[n], feature_slug: 'calls', units: '2' });
  const report = (n: number, i: number) => everywhere('/v1/c/usage', event(n), `event-${n}-${i}`);
  const reports = all(CUSTOMERS, (n) => all(EVENTS, (i) => report(n, i)));
  const changed = await all(CUSTOMERS / 3, async (n) => {
    const change = (seats: number) => ({
      upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: String(seats) } },
    });
    const answers = await Promise.all(
      apis.map((one, at) => sent(one, `/v1/c/contract/${signed[3 * n]}/upgrade`, change(7 + at), `change-${n}-${at}`)),
    );
    expectSettled(answers);
    expect(tally(successes(answers))).toEqual({ 200: 1 });
  });
  expect(changed).toHaveLength(CUSTOMERS / 3);
  for (const answers of (await reports).flat()) {
    expectSettled(answers);
    expect(new Set(successes(answers).map(({ body }) => JSON.stringify(body))).size).toBe(1);
  }

  await clock.advanceTo('2025-03-15T00:00:00Z', 180_000);
  for (const [n, customer] of customers.entries()) {
    const { live, contracts, invoices } = await booksOf(apiOf(n), customer);
    expect([live.length, contracts.length]).toEqual([1, n % 3 === 0 ? 2 : 1]);
    const monthly = invoices.map(({ invoice }) => invoice.date.slice(0, 10)).filter((date: string) => date > '2025-01-01');
    expect(monthly).toEqual(['2025-02-01', '2025-03-01']);
    const { closed, open } = await usageOf(apiOf(n + 1), customer, 'calls');
    expect(Number(closed) + Number(open)).toBe(2 * EVENTS);
  }
  expect(await gapsIn(vendor.vendorId)).toEqual([]);
  expect(await checkLedger(db)).toEqual([]);
});

it(`${HERD} contracts due at one instant, billed by ${PROCESSES} workers: one invoice each, numbered without a gap`, async () => {
  const one = await stack.newVendor();
  const price = { amount: '40.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'hour', price, features: {} }];
  const plan = await one.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
  const dueAt = Math.ceil(Date.now() / SECOND) * SECOND + SIGNING_MS;
  const terms = { plan, currency: 'usd', cycle: 'hour', activation: iso(dueAt - HOUR) };
  const ids: string[] = [];
  while (ids.length < HERD) {
    const customer = await one.api.made('/v1/c/customer', { name: `Customer ${ids.length}` });
    ids.push(await one.api.made('/v1/c/contract', { customer, ...terms }));
  }
  const billed = async () => {
    const rows = await db.query<{ id: string }>('select contract_id as id from invoice where vendor_id = $1 and date = $2', [
      one.vendorId,
      iso(dueAt),
    ]);
    return rows.map(({ id }) => id).sort();
  };
  await eventually(async () => expect(await billed()).toHaveLength(HERD), { every: 250 });
  expect(await billed()).toEqual([...ids].sort());
  expect(await gapsIn(one.vendorId)).toEqual([]);
});

/** Numbers of a vendor's invoices that are left out or given twice. */
const gapsIn = (vendorId: string) =>
  db.query(
    `select i.number::text from (select number, row_number() over (order by number) as place from invoice where vendor_id = $1) i where i.number <> i.place`,
    [vendorId],
  );
