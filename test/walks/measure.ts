import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { activitiesOf } from '../../activities/index.ts';
import { Addresses } from '../../api/http/address.ts';
import { createApi } from '../../api/http/app.ts';
import { KeylessLimit } from '../../api/http/keyless-limit.ts';
import { readPayments } from '../../config/payments.ts';
import { connect, type Database } from '../../db/connect.ts';
import { PdfPrinter } from '../../pdf/printer.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { createVendor } from '../../services/vendor-account/create.ts';

/**
 * Plays an upgrade, a rollover, a usage event and a payment in this one process, on the database given, and prints as
 * JSON which files of ours each of them executed: V8's own counts of the functions that ran. No message is dispatched,
 * so that no other process does the work.
 */
const ROOT = join(import.meta.dirname, '../..');
const [databaseUrl = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const db: Database = await connect({ databaseUrl, databasePool: 8 });
const payments = await openPayments({ config: { payments: readPayments({}), mode: 'embedded', databaseUrl }, db });
const { app } = createApi({
  db,
  payments,
  log,
  awaitPayment: async () => undefined,
  pdfPrinter: new PdfPrinter(db),
  keylessLimit: new KeylessLimit(null, new Addresses([])),
  health: { temporal: async () => undefined, hasWorker: async () => true },
  settings: { secret: 'the-secret-of-the-walks-of-the-tests', baseUrl: 'http://127.0.0.1', reachesPrivate: true, rateLimitPerMinute: null },
} as Parameters<typeof createApi>[0]);
const server = createServer(app.callback()).listen(0, '127.0.0.1');
const { apiKey } = await createVendor(db, 'walks');

async function post(path: string, body: unknown): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'wb-key': apiKey, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/v1/c/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text === '' ? 'null' : text) as string;
}

const CALLS = { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' };

const makePlan = (slug: string, amount: string, feature: string | null): Promise<string> =>
  post('plan', {
    slug,
    internal_name: slug,
    strategy: 'plan',
    features: feature === null ? [] : [{ slug: feature, name: feature, charge_trigger: 'every_cycle' }],
    pricings: [
      {
        currency: 'usd',
        cycle: 'hour',
        price: { amount, strategy_details: { pricing_strategy: 'flat' } },
        features: feature === null ? {} : { [feature]: { amount: '0.01', strategy_details: CALLS } },
      },
    ],
  });

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** The files that ran between its start and its end, sorted, without packages, rules, settings and entities. */
async function walk(run: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  // the function that begins at 0 is the module itself, which ran when it was loaded
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0),
  );
  return ran
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => !/^(billing|config|test|db\/entities)\//.test(path))
    .sort();
}

/**
 * Counts a message as sent, so that no other process works on what it is about.
 *
 * @returns false where another process was faster
 */
async function keepsMessage(workflowId: string): Promise<boolean> {
  const kept = await db.query(
    `update outbox set sent = wanted, sent_at = clock_timestamp() where workflow_id = $1 and sent < wanted and leased_until is null
     returning workflow_id`,
    [workflowId],
  );
  return kept.length > 0;
}

/** A customer with a contract that no other process works on. */
async function sign(plan: string, more: () => object = () => ({})): Promise<{ customer: string; contract: string }> {
  for (;;) {
    const customer = await post('customer', { name: 'walks' });
    const contract = await post('contract', { customer, plan, currency: 'usd', cycle: 'hour', ...more() });
    if (await keepsMessage(contract)) return { customer, contract };
  }
}

const upgrade = (contract: string, plan: string) =>
  post(`contract/${contract}/upgrade`, { upgrade_configuration: { plan_id: plan, upgrade_strategy: 'new_plan' } });

async function rollover(contract: string): Promise<void> {
  const [row] = await db.query<{ due: number }>('select min(due_at) as due from agenda where contract_id = $1', [contract]);
  const dueAt = row?.due ?? 0;
  await pause(Math.max(0, dueAt - Date.now()));
  const { done } = await activities.rollOverCycle({ chainId: contract, dueAt, seen: '0', signals: 0, wasLeft: true });
  if (!done.some(({ what }) => what === 'invoice.created')) throw new Error(`nothing was invoiced: ${JSON.stringify(done)}`);
}

async function payment(customer: string): Promise<void> {
  const [row] = await db.query<{ id: string }>(`select id from payment_attempt where customer_id = $1 and status = 'processing'`, [
    customer,
  ]);
  const attemptId = row?.id ?? '';
  const { status } = await activities.recordAttempt({ attemptId, charged: await activities.chargeAttempt({ attemptId }) });
  if (status !== 'succeeded') throw new Error(`the payment is ${status}`);
}

/** A customer with an attempt to pay that no other process makes. */
async function payer(plan: string): Promise<string> {
  for (;;) {
    const { customer } = await sign(plan);
    await post(`customer/${customer}/activate`, {});
    const { token } = (await post(`customer/${customer}/payment/session`, {})) as unknown as { token: string };
    await post(`payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    const [attempt] = await db.query<{ id: string }>('select id from payment_attempt where customer_id = $1', [customer]);
    if (attempt !== undefined && (await keepsMessage(`payment:${attempt.id}`))) return customer;
  }
}

const activities = activitiesOf({ db, log, payments, email: null, webhooks: null, bundle: 'walks' });
const [basic, pro, calls] = [
  await makePlan('basic', '10.00', null),
  await makePlan('pro', '20.00', null),
  await makePlan('calls', '5.00', 'calls'),
];
const soon = () => ({ activation: new Date(Date.now() - 3_600_000 + 1_500).toISOString() });

// the first of each fills what is remembered; the second is walked
await upgrade((await sign(basic)).contract, pro);
const upgraded = await sign(basic);
await rollover((await sign(basic, soon)).contract);
const rolled = await sign(basic, soon);
const user = await sign(calls);
const event = { customer_id: user.customer, feature_slug: 'calls', units: '3' };
await post('usage', event);
const customer = await payer(basic);
const walks = {
  rollover: await walk(() => rollover(rolled.contract)),
  upgrade: await walk(() => upgrade(upgraded.contract, pro)),
  usage: await walk(() => post('usage', event)),
  payment: await walk(() => payment(customer)),
};
process.stdout.write(JSON.stringify(walks));
server.close();
await payments.providers.close();
await db.close();
process.exit(0);
