import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { planBody } from '../api/support.ts';
import { type AnyJson, type Api, api } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { dump, findPgDump, restore } from '../support/pg-dump.ts';
import { runProgram } from '../support/program.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { secondWorker } from '../support/second-worker.ts';
import { temporalAt } from '../support/temporal.ts';
import { asAdministrator } from '../support/vendor.ts';

const CUSTOMERS = 5;
const RESTORED = 'restored';
const FIRST = '2025-01-01T00:00:00Z';
/** While the clock is on its way here, the copy is made. */
const MIDDLE = '2025-06-15T00:00:00Z';
const LATER = '2025-08-01T00:00:00Z';

const folder = findPgDump();
if (folder === null)
  it('a restored copy: not tested here, there is no pg_dump of version 18 on PATH', () => expect(findPgDump()).toBeNull());
else restored(folder);

function restored(programs: string): void {
  let stack: OwnStack;
  let files: string;
  let second: SecondApi;
  let worker: { stop(): Promise<void> };
  beforeAll(async () => {
    stack = await ownStack();
    files = await mkdtemp(join(tmpdir(), 'perennial-dump-'));
  });
  afterAll(async () => {
    await Promise.all([second?.stop(), worker?.stop()]);
    await stack?.stop();
    await rm(files, { recursive: true, force: true });
  });

  /** Customers who pay, with usage, a change, a wallet and one freeze. */
  async function story(calls: Api): Promise<ClockHandle> {
    const plan = await calls.made('/v1/c/plan', planBody('copied'));
    const clock = await clockOf({ api: calls }, FIRST);
    for (let n = 0; n < CUSTOMERS; n += 1) {
      const customer = await calls.made('/v1/c/customer', { name: `Customer ${n}`, test_clock: clock.id });
      await calls.made(`/v1/c/customer/${customer}/activate`, {});
      const session = await calls.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
      await calls.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
      const contract = await calls.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
      await calls.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: String(1_000 * (n + 1)) });
      await calls.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '12.34', description: 'A gift' });
      if (n === 1)
        await calls.made(`/v1/c/contract/${contract}/upgrade`, {
          upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } },
        });
      if (n === 2) await calls.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'date', date: '2025-07-10T00:00:00Z' } });
    }
    return clock;
  }

  /** All that invoices say, but for the ids that each copy gives by itself. */
  async function invoices(calls: Api): Promise<unknown[]> {
    const { hits } = await calls.read('/v1/c/invoice?limit=100');
    const said = hits.map(({ invoice, invoice_items, amount_due }: AnyJson) => ({
      number: invoice.invoice_number.number,
      date: invoice.date,
      status: invoice.status,
      total: invoice.total,
      amount_due,
      lines: invoice_items
        .map(({ name, unit_count, subtotal, total_including_tax }: AnyJson) => [name, unit_count, subtotal, total_including_tax])
        .sort(),
    }));
    return said.sort((a: AnyJson, b: AnyJson) => Number(a.number) - Number(b.number));
  }

  /** Goes on to the later date; what was reported meanwhile is the same in both copies. */
  async function goOn(calls: Api, clock: string): Promise<void> {
    const ready = () => eventually(async () => expect((await calls.read(`/v1/c/test_clock/${clock}`)).status).toBe('ready'));
    await ready();
    await calls.made(`/v1/c/test_clock/${clock}/advance`, { now: LATER });
    await ready();
  }

  /** The commands of docs/backup.md in a namespace of its own; the processes of the copy. */
  async function bringBack(databaseUrl: string, secret: string): Promise<void> {
    const { temporalAddress } = stack.servers;
    const temporal = temporalAt(temporalAddress);
    await temporal.connection.workflowService.registerNamespace({
      namespace: RESTORED,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    await eventually(() => temporal.connection.operatorService.listSearchAttributes({ namespace: RESTORED }));
    await temporal.close();
    const env = {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: RESTORED,
      PERENNIAL_SECRET: secret,
      PERENNIAL_MODE: 'embedded',
    };
    expect((await runProgram(['cli', 'migrate'], { env })).stdout).toContain('All migrations were applied already\n');
    const { code, stdout } = await runProgram(['cli', 'reconcile', '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).signalled).toEqual(expect.arrayContaining([{ kind: 'clock', count: 1 }]));
    worker = secondWorker({ databaseUrl, temporalAddress }, env);
    second = await secondApi({ databaseUrl, temporalAddress }, env);
    await eventually(async () => expect((await runProgram(['cli', 'doctor'], { env })).code).toBe(0), { every: 2_000 });
  }

  it('makes the same invoices in the months that follow as the copy that was never touched', async () => {
    const vendor = await stack.newVendor();
    const clock = await story(vendor.api);
    await vendor.api.made(`/v1/c/test_clock/${clock.id}/advance`, { now: MIDDLE });
    await eventually(async () => expect((await invoices(vendor.api)).length).toBeGreaterThan(2 * CUSTOMERS));
    expect((await vendor.api.read(`/v1/c/test_clock/${clock.id}`)).status).toBe('advancing');
    const file = join(files, 'perennial.dump');
    await dump(programs, stack.servers.databaseUrl, file);
    await goOn(vendor.api, clock.id);
    const untouched = await invoices(vendor.api);

    await asAdministrator(`create database ${RESTORED} owner perennial`, stack.servers);
    const url = new URL(stack.servers.databaseUrl);
    url.pathname = RESTORED;
    await restore(programs, url.href, file);
    await bringBack(url.href, (await readFile(join(stack.servers.home, 'secret'), 'utf8')).trim());
    const calls = api(vendor.apiKey, second.baseUrl);
    await goOn(calls, clock.id);

    expect(untouched.length).toBeGreaterThan(6 * CUSTOMERS);
    expect(await invoices(calls)).toEqual(untouched);
    const db = await connect({ databaseUrl: url.href, databasePool: 2 });
    expect(await checkLedger(db)).toEqual([]);
    await db.close();
  });
}
