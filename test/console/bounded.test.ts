import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { CONSOLE_PAGES, createConsole } from '../../console/console.ts';
import type { ConsoleParts } from '../../console/http/parts.ts';
import type { Database } from '../../db/connect.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { longHistory } from '../support/long-history.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';
import { newVendor } from '../support/vendor.ts';

const CUSTOMERS = 20_000;
/** Customers that one statement copies. */
const COPIED = 2_000;
const [CONTRACTS, INVOICES] = [30, 2_000];
const MOST_STATEMENTS = 40;
const MOST_ROWS = 400;
const MOST_BYTES = 200_000;

const NO_PROVIDERS = { cardproc: null, authorize: null, retryDays: [1] };
const always = () => ({ left: 1, reset: 60 });
const partsOf = (db: Database): ConsoleParts => ({
  db,
  payments: openPayments({ config: { payments: NO_PROVIDERS, mode: 'production', databaseUrl: '' }, db }),
  awaitPayment: async () => undefined,
  secret: 'of-the-pages-alone',
  estimates: new ChangeEstimates(db),
  catchUp: async () => undefined,
  baseUrl: 'http://127.0.0.1',
  temporalUi: null,
  temporalNamespace: 'default',
  print: async () => ({ bytes: Buffer.from('%PDF-'), name: 'x.pdf' }),
  printNote: async () => null,
  countDownload: always,
  countPage: always,
  countAct: always,
  countSignIn: always,
  countAnonymous: always,
  failed: (error) => {
    throw error;
  },
});

/** Copies of a customer, a second apart, each with a name, an e-mail and a reference of its own. */
const COPIES = `insert into customer select (jsonb_populate_record(c, jsonb_build_object(
    'id', 'Cust_' || gen_random_uuid(), 'created', c.created - n * interval '1 second', 'name', 'Customer ' || n,
    'customer_reference', 'ref-' || n, 'search', 'customer ' || n || ' ref-' || n))).*
  from customer c, generate_series($2::int + 1, $2::int + $3::int) n where c.id = $1`;

describe(`pages of a vendor with ${CUSTOMERS} customers`, () => {
  let counter: StatementCount;
  let own: OwnDatabase;
  let api: SecondApi;
  let server: Server;
  let vendorId: string;
  let visitor: VendorInConsole;
  let plan: string;
  let history: Awaited<ReturnType<typeof longHistory>>;

  beforeAll(async () => {
    counter = countStatements();
    own = await ownDatabase();
    // no workflow is needed, and the shared worker doesn't know this database
    api = await secondApi({ databaseUrl: own.databaseUrl, temporalAddress: '127.0.0.1:1' });
    const vendor = await newVendor('Large', { ...(await servers()), databaseUrl: own.databaseUrl, baseUrl: api.baseUrl });
    vendorId = vendor.vendorId;
    history = await longHistory(own.db, vendor.api, { contracts: CONTRACTS, invoices: INVOICES });
    plan = (await vendor.api.read('/v1/c/plan')).hits[0].id;
    for (let copied = 0; copied < CUSTOMERS; copied += COPIED) await own.db.query(COPIES, [history.customer, copied, COPIED]);
    await own.db.query('analyze');
    server = createServer(new Koa().use(createConsole(partsOf(own.db)).routes()).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    visitor = await VendorInConsole.signIn(vendor.apiKey, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }, 300_000);
  afterAll(async () => {
    counter.restore();
    server?.close();
    await api?.stop();
    await own?.drop();
  });

  const ids = () => ({ customer: history.customer, contract: history.contract, invoice: history.invoice, plan });
  const fill = (path: string): string =>
    `/console${path.replace(/^\/(customer|contract|invoice|plan)\/:id/, (_, noun: keyof ReturnType<typeof ids>) => `/${noun}/${ids()[noun]}`).replace(':number', '1')}`;
  const pages = CONSOLE_PAGES.flatMap(({ method, path }) => (method === 'get' ? [path] : []));
  const asked = [
    ...pages,
    '/search?q=omer+17777',
    '/search?q=ustomer',
    '/search?q=ref-19999',
    '/customers?search=mer+4',
    '/customers?status=active',
  ];

  it.each(asked)(`%s asks for at most ${MOST_STATEMENTS} statements and reads at most ${MOST_ROWS} rows`, async (path) => {
    let size = 0;
    const { statements, rows } = await counter.during(async () => {
      const page = await visitor.get(fill(path));
      expect([path, [200, 404].includes(page.status)]).toEqual([path, true]);
      size = page.html.length;
    });
    expect(statements).toBeGreaterThan(2);
    expect({ path, within: statements <= MOST_STATEMENTS && rows <= MOST_ROWS, statements, rows }).toMatchObject({ within: true });
    expect(size).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('finds one customer among all by an index, and lists all by theirs', async () => {
    expect(await visitor.text('/console/search?q=omer+17777')).toContain('Customer 17777');
    const plan = await own.db.query(
      `explain select id from customer where vendor_id = $1 and search like '%omer 17777%' order by created desc, id desc limit 21`,
      [vendorId],
    );
    expect(JSON.stringify(plan)).toContain('customer_search_index');
  });
});
