import { connect, type Database } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { planBody } from '../api/support.ts';
import { type Api, api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { findPgBouncer, pooler } from '../support/pooler.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { secondWorker } from '../support/second-worker.ts';
import { asAdministrator } from '../support/vendor.ts';
import { delivered, Receiver } from '../webhooks/receiver.ts';

const OFF = { PREPARED_STATEMENTS: 'off', PERENNIAL_SECRET: 'of-the-processes-behind-the-pooler-alone' };
/** Fewer than either process opens, so that what one leaves on a connection is met by the other. */
const CONNECTIONS = 6;
const CUSTOMERS = 10;
const EVENTS = 30;

const program = findPgBouncer();
if (program === null) it('a pooler in transaction mode: not tested here, there is no PgBouncer', () => expect(findPgBouncer()).toBeNull());
else behindThePooler(program);

function behindThePooler(path: string): void {
  let stack: OwnStack;
  let bouncer: Awaited<ReturnType<typeof pooler>>;
  let second: SecondApi;
  let worker: { stop(): Promise<void> };
  let db: Database;
  let caller: Api;
  const receiver = new Receiver();

  beforeAll(async () => {
    stack = await ownStack();
    const vendor = await stack.newVendor();
    // a server that lives elsewhere: only what a connection says of itself counts
    await asAdministrator(`alter role perennial set timezone = 'Asia/Tokyo'`, stack.servers);
    await asAdministrator(`alter role perennial set datestyle = 'SQL, DMY'`, stack.servers);
    await stack.kill9('worker');
    await stack.kill9('api');
    bouncer = await pooler(path, stack.servers, CONNECTIONS);
    worker = secondWorker(bouncer.servers, OFF);
    second = await secondApi(bouncer.servers, OFF);
    caller = api(vendor.apiKey, second.baseUrl);
    db = await connect({
      ...bouncer.servers,
      databasePool: 20,
      preparedStatements: 'off',
      limits: { connect: 4_000, lock: 1_234, statement: 2_345 },
    });
    await receiver.start();
  });
  afterAll(async () => {
    await Promise.all([second?.stop(), worker?.stop(), receiver.kill()]);
    await db?.close();
    await bouncer?.stop();
    await stack?.stop();
  });

  describe('behind a pooler in transaction mode, without prepared statements', () => {
    it('every connection is in UTC, and every transaction has the limits of its process', async () => {
      const zones = await Promise.all(
        Array.from({ length: 50 }, () => db.query(`select current_setting('TimeZone') as zone, now()::text`)),
      );
      expect(new Set(zones.map(([row]) => row?.zone))).toEqual(new Set(['UTC']));
      expect(zones.every(([row]) => /^\d{4}-\d\d-\d\d .*\+00$/.test(String(row?.now)))).toBe(true);
      const limits = () =>
        db.transaction((tx) =>
          tx.query(`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`),
        );
      for (const [row] of await Promise.all(Array.from({ length: 20 }, limits)))
        expect(row).toEqual({ lock: '1234ms', statement: '2345ms' });
      const outside = await db.query(`select current_setting('lock_timeout') as lock`);
      expect(outside).toEqual([{ lock: '0' }]);
    });

    it(`${CUSTOMERS} customers sign, report ${EVENTS} events each at once, and change; a month later each is billed once, and every event is delivered`, async () => {
      await caller.made('/v1/c/webhook_endpoint', { url: receiver.url });
      const plan = await caller.made('/v1/c/plan', planBody('pooled'));
      const clock = await clockOf({ api: caller }, '2025-01-01T00:00:00Z');
      const customers = await Promise.all(
        Array.from({ length: CUSTOMERS }, (_, n) => caller.made('/v1/c/customer', { name: `Customer ${n}`, test_clock: clock.id })),
      );
      await Promise.all(customers.map((customer) => caller.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' })));
      const events = customers.flatMap((customer_id) =>
        Array.from({ length: EVENTS }, () => caller.made('/v1/c/usage', { customer_id, feature_slug: 'calls', units: '2' })),
      );
      expect(new Set(await Promise.all(events)).size).toBe(CUSTOMERS * EVENTS);
      const { hits } = await caller.read('/v1/c/contract?limit=100');
      const upgrade = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '7' } };
      await Promise.all(
        hits.map(({ id }: { id: string }) => caller.made(`/v1/c/contract/${id}/upgrade`, { upgrade_configuration: upgrade })),
      );
      await clock.advanceTo('2025-02-01T00:00:00Z');
      for (const customer of customers) {
        const counted = await db.query(`select sum(units)::text as units from usage_event where customer_id = $1`, [customer]);
        expect(counted).toEqual([{ units: String(2 * EVENTS) }]);
      }
      const dates = await db.query<{ count: string }>(
        `select count(*) as count from invoice i join contract c on c.id = i.contract_id where c.customer_id = any($1) group by c.customer_id`,
        [customers],
      );
      expect(new Set(dates.map(({ count }) => count)).size).toBe(1);
      expect(await checkLedger(db)).toEqual([]);
      await delivered(async () => {
        const sent = await db.query<{ id: string }>('select id from event');
        expect(new Set(receiver.taken.map(({ body }) => body.id))).toEqual(new Set(sent.map(({ id }) => id)));
      });
      const status = async () => ((await (await fetch(`${second.baseUrl}/readyz`)).json()) as { status: string }).status;
      await eventually(async () => expect(await status()).toBe('ready'));
    });

    it('all of it went through the pooler, which opened no more connections than it was allowed', async () => {
      const direct = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 2 });
      try {
        const [row] = await direct.query<{ pooled: string; prepared: string }>(
          `select count(*) filter (where pid <> pg_backend_pid())::text as pooled from pg_stat_activity where usename = 'perennial'`,
        );
        expect(Number(row?.pooled)).toBeGreaterThan(1);
        expect(Number(row?.pooled)).toBeLessThanOrEqual(CONNECTIONS);
        const named = await db.query('select name from pg_prepared_statements');
        expect(named).toEqual([]);
      } finally {
        await direct.close();
      }
    });
  });
}
