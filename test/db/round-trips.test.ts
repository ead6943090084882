import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Addresses } from '../../api/http/address.ts';
import { createApi } from '../../api/http/app.ts';
import type { Parts } from '../../api/http/dependencies.ts';
import { KeylessLimit } from '../../api/http/keyless-limit.ts';
import { readPayments } from '../../config/payments.ts';
import { connect, type Database } from '../../db/connect.ts';
import { PdfPrinter } from '../../pdf/printer.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../support/api.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { RoundTrips } from '../support/round-trips.ts';
import { plan as flatPlan, planToSave } from '../support/story-catalogue.ts';

let own: OwnDatabase;
let db: Database;
let server: Server;
let vendor: Api;
let trips: RoundTrips;
beforeAll(async () => {
  own = await ownDatabase();
  const { databaseUrl } = own;
  db = await connect({ databaseUrl, databasePool: 4 });
  trips = new RoundTrips(db.pool);
  const { app } = createApi({
    db,
    payments: await openPayments({ config: { payments: readPayments({}), mode: 'embedded', databaseUrl }, db }),
    log: pino({ level: 'silent' }),
    awaitPayment: async () => undefined,
    pdfPrinter: new PdfPrinter(db),
    keylessLimit: new KeylessLimit(null, new Addresses([])),
    health: { temporal: async () => undefined, hasWorker: async () => true },
    settings: { secret: 'the-secret-of-the-round-trips', baseUrl: 'http://127.0.0.1', reachesPrivate: true, rateLimitPerMinute: null },
  } satisfies Parts);
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vendor = api((await createVendor(db, 'round trips')).apiKey, `http://127.0.0.1:${port}`);
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await db.close();
  await own.drop();
});

const per = (unit_name: string, unit_count: string) => ({ pricing_strategy: 'per_unit', unit_name, unit_count, minimum_units: '0' });

/** A plan with bought units and reported usage. */
const plan = (slug: string, amount: string): Promise<string> =>
  vendor.made('/v1/c/plan', {
    slug,
    internal_name: slug,
    strategy: 'plan',
    features: ['seats', 'calls'].map((name) => ({ slug: name, name })),
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        price: { amount, strategy_details: { pricing_strategy: 'flat' } },
        features: {
          seats: { amount: '10', strategy_details: per('seat', '5') },
          calls: { amount: '0.01', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } },
        },
      },
    ],
  });

it('signing takes at most 12 round trips to Postgres, an upgrade now at most 14: key, begin and commit included', async () => {
  const [small, big] = [await plan('small', '100'), await plan('big', '300')];
  const customer = await vendor.made<string>('/v1/c/customer', { name: 'Acme' });
  const signing = await trips.of(() => vendor.made<string>('/v1/c/contract', { customer, plan: small, currency: 'usd', cycle: 'month' }));
  expect(signing.taken).toBeLessThanOrEqual(12);
  const upgrade = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: big } };
  const change = await trips.of(() => vendor.made<string>(`/v1/c/contract/${signing.result}/upgrade`, upgrade));
  expect(change.taken).toBeLessThanOrEqual(14);
  const { hits } = await vendor.read<{ hits: unknown[] }>(`/v1/c/invoice?customer=${customer}`);
  expect(hits).toHaveLength(2);
});

it('an estimate takes at most 10 round trips: key, catalogue and commit included', async () => {
  const [small, big] = [await plan('estimated', '100'), await plan('estimated-big', '300')];
  const customer = await vendor.made<string>('/v1/c/customer', { name: 'Asks' });
  const contract = await vendor.made<string>('/v1/c/contract', { customer, plan: small, currency: 'usd', cycle: 'month' });
  const upgrade = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: big } };
  const estimate = await trips.of(() => vendor.made<{ is_downgrade: boolean }>(`/v1/c/contract/${contract}/upgrade_estimate`, upgrade));
  expect(estimate.result.is_downgrade).toBe(false);
  expect(estimate.taken).toBeLessThanOrEqual(10);
});

it('the number of an invoice is taken right before the messages and the commit, also where it is charged at once', async () => {
  const [small, big] = [await plan('one', '100'), await plan('two', '300')];
  const customer = await vendor.made<string>('/v1/c/customer', { name: 'Payer' });
  await vendor.made(`/v1/c/customer/${customer}/activate`);
  const { token } = await vendor.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await vendor.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
  const before = trips.sent.length;
  const contract = await vendor.made<string>('/v1/c/contract', { customer, plan: small, currency: 'usd', cycle: 'month' });
  const upgrade = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: big } };
  await vendor.made(`/v1/c/contract/${contract}/upgrade`, upgrade);
  const sent = trips.sent.slice(before);
  const behind = sent.flatMap((text, at) => (text.includes('insert into invoice_counter') ? [sent.slice(at + 1, at + 3)] : []));
  const ends = [expect.stringMatching(/^insert into outbox /), expect.stringMatching(/^commit$/i)];
  expect(behind).toEqual([ends, ends]);
  const { hits } = await vendor.read<{ hits: { invoice: object }[] }>(`/v1/c/invoice?customer=${customer}`);
  const charged = { deposit_transaction_status: 'processing' };
  expect(hits.map(({ invoice }) => invoice)).toEqual([expect.objectContaining(charged), expect.objectContaining(charged)]);
});

it('a freeze drops 12 open gates of a customer in as many round trips as 3', async () => {
  const frozenWith = async (count: number): Promise<number> => {
    const customer = await vendor.made<string>('/v1/c/customer', { name: `Has ${count}` });
    await vendor.made(`/v1/c/customer/${customer}/activate`);
    const { token } = await vendor.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    await vendor.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_needs_action' });
    await vendor.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_needs_action' });
    await vendor.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '5', description: 'to hold' });
    const gates: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const body = planToSave(flatPlan(`gated-${count}-${at}`, '20'));
      const signing = { customer, plan: await vendor.made<string>('/v1/c/plan', body), currency: 'usd', cycle: 'month' };
      gates.push(await vendor.made<string>('/v1/c/contract', { ...signing, payment_gate: { expires_in_hours: 24 } }));
    }
    const { taken } = await trips.of(() => vendor.made(`/v1/c/customer/${customer}/inactivate`, {}));
    for (const id of gates) expect((await vendor.read(`/v1/c/contract/${id}`)).contract_summary.status).toBe('canceled');
    const { balances } = await vendor.read(`/v1/c/customer/${customer}/wallet`);
    expect(balances.map(({ balance, held }: { balance: string; held: string }) => [balance, held])).toEqual([['5.00', '0.00']]);
    return taken;
  };
  const few = await frozenWith(3);
  // the message of a gate that was opened just before may be sent along or not
  expect(Math.abs((await frozenWith(12)) - few)).toBeLessThanOrEqual(1);
});

it('while nothing is due, reads of entitlements, a contract and a customer take as many statements as ever', async () => {
  const customer = await vendor.made<string>('/v1/c/customer', { name: 'Reads' });
  const contract = await vendor.made<string>('/v1/c/contract', {
    customer,
    plan: await plan('read', '100'),
    currency: 'usd',
    cycle: 'month',
  });
  const statements = async (read: () => Promise<unknown>): Promise<number> => {
    // the first time the contract itself is read
    await read();
    const before = trips.sent.length;
    await read();
    return trips.sent.length - before;
  };
  const check = { feature_slug: 'calls', units: '1' };
  expect({
    access: await statements(() => vendor.read(`/v1/c/entitlement/${customer}/access`)),
    billing: await statements(() => vendor.read(`/v1/c/entitlement/${customer}/billing`)),
    contract: await statements(() => vendor.read(`/v1/c/contract/${contract}`)),
    customer: await statements(() => vendor.read(`/v1/c/customer/${customer}`)),
    search: await statements(() => vendor.read(`/v1/c/customer?id=${customer}`)),
    check: await statements(() => vendor.made(`/v1/c/entitlement/${customer}/check`, check)),
  }).toEqual({ access: 1, billing: 5, contract: 1, customer: 3, search: 4, check: 11 });
});

it('usage of a customer that nobody watches takes one statement, which asks for no limits, alerts or thresholds', async () => {
  const signed = async (name: string, terms: object = {}): Promise<string> => {
    const customer = await vendor.made<string>('/v1/c/customer', { name });
    await vendor.made('/v1/c/contract', { customer, plan: await plan(name, '100'), currency: 'usd', cycle: 'month', ...terms });
    return customer;
  };
  const uses = async (customer_id: string): Promise<string[]> => {
    const before = trips.sent.length;
    await vendor.made('/v1/c/usage', { customer_id, feature_slug: 'calls', units: '1' });
    return trips.sent.slice(before).filter((text) => /usage_|watched/.test(text));
  };
  const ofAlert = await signed('alerted');
  await vendor.made(`/v1/c/customer/${ofAlert}/alert`, { on: 'usage', feature_slug: 'calls', at: ['100'] });
  const [free, watched] = [await signed('free'), await signed('watched', { invoice_threshold: '100.00' })];
  const asks = /usage_limit|usage_alert|credit_top_up|invoiceThreshold/;
  for (let n = 0; n < 3; n += 1) {
    const sent = await uses(free);
    expect(sent.filter((text) => asks.test(text))).toEqual([]);
    expect(sent).toHaveLength(1);
  }
  expect((await uses(watched)).some((text) => asks.test(text))).toBe(true);
  expect((await uses(ofAlert)).some((text) => asks.test(text))).toBe(true);
});

it('usage that stays below an invoice threshold locks no contract for an update, but for the first event and the one that reaches it', async () => {
  const customer_id = await vendor.made<string>('/v1/c/customer', { name: 'below' });
  const terms = { plan: await plan('below', '100'), currency: 'usd', cycle: 'month', invoice_threshold: '100.00' };
  const contract = await vendor.made<string>('/v1/c/contract', { customer: customer_id, ...terms });
  const isLooked = async (units: string): Promise<boolean> => {
    const before = trips.sent.length;
    await vendor.made('/v1/c/usage', { customer_id, feature_slug: 'calls', units });
    return trips.sent.slice(before).some((text) => /from contract c\b[\s\S]* for update/.test(text));
  };
  const early = async () => (await vendor.read(`/v1/c/invoice?contract=${contract}`)).hits.length;
  const before = await early();
  expect([await isLooked('1'), await isLooked('1'), await isLooked('0.5')]).toEqual([true, false, false]);
  expect(await early()).toBe(before);
  expect(await isLooked('100000')).toBe(true);
  expect(await early()).toBe(before + 1);
  expect([await isLooked('1'), await isLooked('1')]).toEqual([false, false]);
});
