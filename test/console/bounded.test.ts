import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pino from 'pino';
import { Addresses } from '../../api/http/address.ts';
import { dependenciesOf } from '../../api/http/dependencies.ts';
import { callInside } from '../../api/http/inside.ts';
import { KeylessLimit } from '../../api/http/keyless-limit.ts';
import { draftPlan } from '../../api/plan/draft.ts';
import { CONSOLE_PAGES, createConsole } from '../../console/console.ts';
import type { ConsoleParts } from '../../console/http/parts.ts';
import type { Database } from '../../db/connect.ts';
import { PdfPrinter } from '../../pdf/printer.ts';
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
const LINES = 3_000;
const MOST_STATEMENTS = 40;
/** A page that tries an import out asks for these with each line, for three seconds at most, and for few of its own. */
const [IMPORTED, STATEMENTS_OF_A_LINE, OF_ITS_OWN] = [10, 5, 20];
const MOST_ROWS = 400;
const MOST_BYTES = 200_000;

const NO_PROVIDERS = { cardproc: null, authorize: null, retryDays: [1] };
const always = () => ({ left: 1, reset: 60 });
const paymentsOf = (db: Database) => openPayments({ config: { payments: NO_PROVIDERS, mode: 'production', databaseUrl: '' }, db });
const apiOf = async (db: Database) =>
  dependenciesOf({
    db,
    payments: await paymentsOf(db),
    awaitPayment: async () => undefined,
    pdfPrinter: new PdfPrinter(db),
    keylessLimit: new KeylessLimit(null, new Addresses([])),
    health: { temporal: async () => undefined, hasWorker: async () => true },
    settings: { secret: 'the-secret-of-the-bounded-pages', baseUrl: 'http://127.0.0.1', reachesPrivate: true, rateLimitPerMinute: null },
    log: pino({ level: 'silent' }),
  });
const partsOf = async (db: Database): Promise<ConsoleParts> => ({
  db,
  payments: await paymentsOf(db),
  callApi: callInside(await apiOf(db)),
  awaitPayment: async () => undefined,
  secret: 'of-the-pages-alone',
  estimates: new ChangeEstimates(db),
  catchUp: async () => undefined,
  draftPlan: draftPlan(db),
  baseUrl: 'http://127.0.0.1',
  temporalUi: null,
  temporalNamespace: 'default',
  provider: null,
  print: async () => ({ bytes: Buffer.from('%PDF-'), name: 'x.pdf' }),
  printNote: async () => ({ bytes: Buffer.from('%PDF-'), name: 'x.pdf' }),
  countDownload: always,
  countPage: always,
  countAct: always,
  countSignIn: always,
  countAnonymous: always,
  failed: (error) => {
    throw error;
  },
});

/** Tries of an event at an endpoint, and objects that wait there after a failure, with long answers. */
const TRIES = `insert into webhook_try (endpoint_id, event_id, at, attempt, status, status_code, duration_ms, answer)
  select $1, $2, now() - n * interval '1 second', n, 'failed', 500, 20, repeat('x<', 2000) from generate_series(1, 3000) n`;
const WAITING = `insert into webhook_backlog (endpoint_id, lane, object_id, event_seq, object_sequence, attempts, failures, failing_since, next_try)
  select $1, e.object_id, e.object_id, e.seq, e.object_sequence, 3, 3, now(), now() from event e where e.vendor_id = $2 and e.object_sequence = 1`;

const REFUSED = 2_990;
/** Lines of an import that were refused. */
const REFUSED_LINES = `insert into import_line (import_id, number, type, position, fingerprint, outcome, code, problems, at)
  select $1, n, 'customer', n, 'f' || n, 'refused', 'invalid_request', '[{"field": "name", "fix": "give a name"}]', now() from generate_series(11, ${REFUSED + 10}) n`;

/** Copies of a customer, a second apart, each with a name, an e-mail and a reference of its own. */
const COPIES = `insert into customer select (jsonb_populate_record(c, jsonb_build_object(
    'id', 'Cust_' || gen_random_uuid(), 'created', c.created - n * interval '1 second', 'name', 'Customer ' || n,
    'customer_reference', 'ref-' || n, 'search', 'customer ' || n || ' ref-' || n))).*
  from customer c, generate_series($2::int + 1, $2::int + $3::int) n where c.id = $1`;

/** Further lines of one invoice, which belong to no contract, so that no change gives them back. */
const LONG_INVOICE = `insert into invoice_item
  select (jsonb_populate_record(l, jsonb_build_object('id', 'Item_' || gen_random_uuid(), 'contract_id', null, 'charge_key', 'line ' || n, 'name', 'Line ' || n, 'position', n))).*
  from invoice_item l, generate_series(1, $2::int) n where l.id = (select id from invoice_item where invoice_id = $1 limit 1)`;

describe(`pages of a vendor with ${CUSTOMERS} customers`, () => {
  let counter: StatementCount;
  let own: OwnDatabase;
  let api: SecondApi;
  let server: Server;
  let vendorId: string;
  let visitor: VendorInConsole;
  let plan: string;
  let [webhook, sent, clock, grant, note] = ['', '', '', '', ''];
  let move: string;
  let imported: string;
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
    const { id: hook } = await vendor.api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: 'https://example.com/hook' });
    const [{ id: event }] = (await vendor.api.read(`/v1/c/event?object=${history.contract}`)).hits;
    webhook = hook;
    clock = await vendor.api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    sent = event;
    const gift = { customer: history.customer, currency: 'usd', amount: '5', kind: 'promotional' };
    grant = await vendor.api.made('/v1/c/credit_grant', gift);
    const { hits } = await vendor.api.read('/v1/c/invoice?direction=backward&limit=2');
    const { invoice, invoice_items: items } = hits.find((hit: { invoice: { id: string } }) => hit.invoice.id !== history.invoice);
    const given = { items: [{ invoice_item_id: items[0].id, amount: '1.00' }], notes: 'too much', to: 'wallet' };
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, given);
    [{ id: note = '' } = {}] = await own.db.query<{ id?: string }>('select id from credit_note where invoice_id = $1', [invoice.id]);
    await own.db.query(TRIES, [hook, event]);
    await own.db.query(WAITING, [hook, vendorId]);
    move = await vendor.api.made(`/v1/c/plan/${plan}/move`, { when: 'next_cycle' });
    imported = await vendor.api.made('/v1/c/import', {});
    const lines = Array.from({ length: IMPORTED }, (_, n) => ({
      number: n + 1,
      line: { type: 'customer', ref: `r${n}`, name: `Ada ${n}` },
    }));
    await vendor.api.made(`/v1/c/import/${imported}/lines`, { lines });
    await own.db.query(REFUSED_LINES, [imported]);
    for (let copied = 0; copied < CUSTOMERS; copied += COPIED) await own.db.query(COPIES, [history.customer, copied, COPIED]);
    await own.db.query(LONG_INVOICE, [history.invoice, LINES]);
    await own.db.query('analyze');
    server = createServer(new Koa().use(createConsole(await partsOf(own.db)).routes()).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    visitor = await VendorInConsole.signIn(vendor.apiKey, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    counter.restore();
    server?.close();
    await api?.stop();
    await own?.drop();
  });

  const ids = (): Record<string, string> => ({
    ...history,
    plan,
    webhook,
    test_clock: clock,
    import: imported,
    credit_grant: grant,
    credit_note: note,
  });
  const fill = (path: string): string =>
    `/console${path
      .replace(/^\/(\w+)\/:id/, (whole, noun) => (ids()[noun] === undefined ? whole : `/${noun}/${ids()[noun]}`))
      .replace(':number', '1')
      .replace(':event', sent)
      .replace(':move', move)}`;
  const pages = CONSOLE_PAGES.flatMap(({ method, path }) => (method === 'get' ? [path] : []));
  const asked = [
    ...pages,
    '/search?q=omer+17777',
    '/search?q=ustomer',
    '/search?q=ref-19999',
    '/customers?search=mer+4',
    '/customers?status=active',
    '/invoice/:id/credit_note?by=lines',
    '/invoice/:id/credit_note?next=yes&amount=1.00&to=wallet',
    '/invoice/:id/refund?next=yes&amount=1.00',
  ];

  it.each(asked)(`%s asks for at most ${MOST_STATEMENTS} statements and reads at most ${MOST_ROWS} rows`, async (path) => {
    let size = 0;
    const { statements, rows } = await counter.during(async () => {
      const page = await visitor.get(fill(path));
      expect([path, page.status]).toEqual([path, 200]);
      size = page.html.length;
    });
    expect(statements).toBeGreaterThan(2);
    const most = path === '/import/:id/start' ? OF_ITS_OWN + IMPORTED * STATEMENTS_OF_A_LINE : MOST_STATEMENTS;
    expect({ path, within: statements <= most && rows <= MOST_ROWS, statements, rows }).toEqual({ path, within: true, statements, rows });
    expect(size).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('spreads no amount over thousands of lines, and leads to them', async () => {
    const address = `/console/invoice/${history.invoice}/credit_note`;
    const page = await visitor.page(`${address}?next=yes&amount=1.00&to=wallet`);
    expect(page.text).toContain('The invoice has more than 1,000 lines');
    expect(page.html).toContain(`href="${address}?by=lines"`);
    const refused = await visitor.post(address, { csrf: await visitor.csrf(), amount: '1.00', to: 'wallet', shown: 'x' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('too many lines')]);
  });

  it('leads from page to page through all lines of an invoice, also where something is given back line by line', async () => {
    for (const [path, each] of [
      [`/console/invoice/${history.invoice}`, /<div>(Line \d+)\b/g],
      [`/console/invoice/${history.invoice}/credit_note?by=lines`, /<label[^>]*>(Line \d+)</g],
    ] as const) {
      const seen: string[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const { html } = await visitor.page(next);
        seen.push(...[...html.matchAll(each)].map(([, name = '']) => name));
        next = /href="([^"]+)">Next lines</.exec(html)?.[1]?.replaceAll('&amp;', '&');
      }
      expect([path, seen.length, new Set(seen).size]).toEqual([path, LINES, LINES]);
    }
  });

  it('counts all lines that an import refuses, and shows the first fifty', async () => {
    const { text, html } = await visitor.page(`/console/import/${imported}/start`);
    expect(text).toMatch(/Customers made 10 Contracts made 0 Wallets filled 0 Imported before 0 Refused 2,990/);
    expect(html.match(/name: give a name/g)).toHaveLength(50);
    expect(text).toContain('2,940 further refused lines aren’t shown here.');
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
