import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import type { Database } from '../../db/connect.ts';
import type { PortalParts } from '../../portal/http/parts.ts';
import { overview } from '../../portal/pages/overview/routes.ts';
import { createPortal, PORTAL_PAGES } from '../../portal/portal.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { longHistory } from '../support/long-history.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

const [CONTRACTS, INVOICES] = [100, 10_000];
/** Enough for a page with 20 contracts, and far below one for each contract. */
const MOST_STATEMENTS = 40;
/** Rows of tables, entries of lists and sections: 50 plans to choose from take four each. */
const MOST_ROWS = 250;
const MOST_BYTES = 200_000;

const pages = [overview, ...PORTAL_PAGES.flat()].filter(({ method }) => method === 'get').map(({ path }) => path);

const { query } = pg.Client.prototype;
const NO_PROVIDERS = { cardproc: null, authorize: null, retryDays: [1] };
const always = () => ({ left: 1, reset: 60 });
const partsOf = async (db: Database): Promise<PortalParts> => ({
  db,
  payments: await openPayments({ config: { payments: NO_PROVIDERS, mode: 'production', databaseUrl: '' }, db }),
  awaitPayment: async () => undefined,
  baseUrl: 'http://127.0.0.1',
  secret: 'of-the-portal-of-this-test-alone',
  estimates: new ChangeEstimates(db),
  printNote: async () => null,
  print: async () => ({ bytes: Buffer.from('%PDF-'), name: 'x.pdf' }),
  countDownload: always,
  countAct: always,
  countPage: always,
  countAnonymous: always,
  failed: (error) => {
    throw error;
  },
});

describe(`pages of a customer with ${CONTRACTS} contracts and ${INVOICES} invoices`, () => {
  let own: OwnDatabase;
  let api: SecondApi;
  let server: Server;
  let base: string;
  let cookie: string;
  let history: Awaited<ReturnType<typeof longHistory>>;
  let statements = 0;

  beforeAll(async () => {
    // before the first connection, which binds it
    pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
      statements += 1;
      return Reflect.apply(query, this, given);
    } as typeof query;
    own = await ownDatabase();
    // no workflow is needed, and the shared worker doesn't know this database
    api = await secondApi({ databaseUrl: own.databaseUrl, temporalAddress: '127.0.0.1:1' });
    const vendor = await newVendor('Long', { ...(await servers()), databaseUrl: own.databaseUrl, baseUrl: api.baseUrl });
    history = await longHistory(own.db, vendor.api, { contracts: CONTRACTS, invoices: INVOICES });
    server = createServer(new Koa().use(createPortal(await partsOf(own.db)).routes()).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { search } = new URL(await vendor.api.made<string>('/v1/c/customer/authenticate', { id: history.customer }));
    const entered = await fetch(`${base}/portal${search}`, { method: 'POST', redirect: 'manual' });
    cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    server?.close();
    await api?.stop();
    await own?.drop();
  });

  const fill = (path: string): string =>
    `/portal${path.replace(/^\/contract\/:\w+/, `/contract/${history.contract}`).replace(/^\/invoice\/:\w+/, `/invoice/${history.invoice}`)}`;

  it.each(pages.map((path) => [path]))(
    `%s asks for at most ${MOST_STATEMENTS} statements and shows at most ${MOST_ROWS} rows`,
    async (path) => {
      statements = 0;
      const response = await fetch(`${base}${fill(path)}`, { headers: { cookie }, redirect: 'manual' });
      const text = await response.text();
      expect([path, response.status]).not.toEqual([path, 500]);
      expect(statements).toBeGreaterThan(2);
      expect(statements).toBeLessThanOrEqual(MOST_STATEMENTS);
      expect([...text.matchAll(/<(tr|li|section)\b/g)].length).toBeLessThanOrEqual(MOST_ROWS);
      expect(text.length).toBeLessThanOrEqual(MOST_BYTES);
    },
  );
});
