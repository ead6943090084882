import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Addresses } from '../../api/http/address.ts';
import { createApi } from '../../api/http/app.ts';
import type { Parts } from '../../api/http/dependencies.ts';
import { KeylessLimit } from '../../api/http/keyless-limit.ts';
import { readPayments } from '../../config/payments.ts';
import { connect, type Database, type Tx } from '../../db/connect.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { PdfPrinter } from '../../pdf/printer.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { savePlan } from '../../services/plan/save.ts';
import { openPartsOf } from '../../services/usage/open-parts.ts';
import { pricedOpenUsage } from '../../services/usage/priced.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../support/api.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const PERIODS = 3_000;
const MOST_ROWS = 40;

/** Those of the hours before the running one: of a contract that is closed by hand they pile up open. */
const EARLIER = `
  insert into usage_period
  select (jsonb_populate_record(p, jsonb_build_object(
    'idx', p.idx + n, 'start_at', p.start_at - n * interval '1 hour', 'end_at', p.start_at - (n - 1) * interval '1 hour',
    'usage_from', p.usage_from - n * interval '1 hour', 'usage_until', p.usage_from - (n - 1) * interval '1 hour'))).*
  from usage_period p, generate_series(1, $2::int) n where p.contract_id = $1`;
/** As many units as the number of the period says. */
const COUNTED = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed)
  select contract_id, idx, 'calls', idx, 1, idx, 1, 1 from usage_period where contract_id = $1`;

describe(`a contract with ${PERIODS} usage periods`, () => {
  let own: OwnDatabase;
  let db: Database;
  let count: StatementCount;
  let server: Server;
  let vendor: Api;
  let customerId: string;
  let contractId: string;

  beforeAll(async () => {
    count = countStatements();
    own = await ownDatabase();
    const { databaseUrl } = own;
    db = await connect({ databaseUrl, databasePool: 4 });
    const { vendorId, apiKey } = await createVendor(db, 'Of many periods');
    const now = Date.now();
    const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
    const plan = flatPlan('10.00', { calls: '0.10' });
    customerId = customer.id;
    contractId = await db.transaction(async (tx) => {
      await savePlan(tx, vendorId, plan, now);
      await insertCustomer(tx, customer, now);
      const configuration = { usagePeriodClosingPolicy: 'manual' as const };
      return signContract(tx, { ...signInput(vendorId, customerId, plan.id), configuration });
    });
    await db.query(EARLIER, [contractId, PERIODS]);
    await db.query(COUNTED, [contractId]);
    await db.query('vacuum analyze usage_period, usage_counter');
    const { app } = createApi({
      db,
      payments: await openPayments({ config: { payments: readPayments({}), mode: 'embedded', databaseUrl }, db }),
      log: pino({ level: 'silent' }),
      awaitPayment: async () => undefined,
      pdfPrinter: new PdfPrinter(db),
      keylessLimit: new KeylessLimit(null, new Addresses([])),
      health: { temporal: async () => undefined, hasWorker: async () => true },
      settings: { secret: 'the-secret-of-the-many-periods', baseUrl: 'http://127.0.0.1', reachesPrivate: true, rateLimitPerMinute: null },
    } satisfies Parts);
    server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    vendor = api(apiKey, `http://127.0.0.1:${port}`);
  }, 120_000);
  afterAll(async () => {
    count.restore();
    await new Promise((done) => server.close(done));
    await db?.close();
    await own?.drop();
  });

  /** What work in a transaction gives, and the rows that come back for it. */
  async function counted<T>(work: (tx: Tx) => Promise<T>): Promise<{ result: T | undefined; rows: number }> {
    const results: T[] = [];
    const { rows } = await count.during(() => db.transaction(async (tx) => results.push(await work(tx))));
    return { result: results[0], rows };
  }

  it.each([1, 3])('lists them with what was counted, and for a page of %i reads the counters of no others', async (limit) => {
    const path = `/v1/c/contract/${contractId}/usage_period?limit=${limit}`;
    for (const [order, first] of [
      ['forward', 1],
      ['backward', PERIODS + 2 - limit],
    ] as const) {
      const pages: { total: number; hits: { idx: number; features: { units_used: string }[] }[] }[] = [];
      const { rows } = await count.during(async () => pages.push(await vendor.read(`${path}&direction=${order}`)));
      const [page] = pages;
      const shown = page?.hits.map(({ idx, features }) => [idx, features[0]?.units_used]).sort(([a], [b]) => Number(a) - Number(b));
      expect(page?.total).toBe(PERIODS + 1);
      expect(shown).toEqual(Array.from({ length: limit }, (_, n) => [first + n, String(first + n)]));
      expect(rows).toBeLessThanOrEqual(MOST_ROWS);
    }
  });

  it('prices what one of them has come to, and reads the counters of no others', async () => {
    const [contract] = await contractsByIds(db, [contractId]);
    if (contract === undefined) throw new Error('there is no contract');
    const place = { contract, idx: PERIODS / 2, slug: 'calls' };
    const { result, rows } = await counted((tx) => pricedOpenUsage(tx, { id: customerId, pauses: [] }, place, { of: 'calls' }));
    expect(result).toBe(String(PERIODS / 20));
    expect(rows).toBeLessThanOrEqual(MOST_ROWS);
  });

  it('has open parts, and of those that are closed no counters are read', async () => {
    await db.query(`update usage_period set status = 'closed' where contract_id = $1 and idx > 2`, [contractId]);
    const { result, rows } = await counted((tx) => openPartsOf(tx, customerId));
    expect(result?.map(({ period, usage }) => [period.idx, usage[0]?.units])).toEqual([
      [1, '1'],
      [2, '2'],
    ]);
    expect(rows).toBeLessThanOrEqual(MOST_ROWS);
  });
});
