import { HOUR } from '../../billing/calendar/instant.ts';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { restartContracts } from '../../temporal/reconcile.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';

const CONTRACTS = 50;
const SECOND = 1_000;
/** From the signing to the next period, so that it begins while runs are ended. */
const AHEAD = 40 * SECOND;

let stack: OwnStack;
let temporal: Temporal;
let vendor: TestVendor;
beforeAll(async () => {
  stack = await ownStack();
  temporal = temporalAt(stack.servers.temporalAddress);
  vendor = await stack.newVendor();
});
afterAll(async () => {
  await temporal?.close();
  await stack?.stop();
});

const runOf = async (id: string): Promise<string> => (await temporal.client.workflow.getHandle(id).describe()).runId;
const runsOf = (ids: readonly string[]): Promise<string[]> => Promise.all(ids.map(runOf));
const restart = (before: number, restarted?: (count: number) => void): Promise<number> =>
  withTestDatabase((db) => restartContracts(db, temporal.client, DEFAULT_TASK_QUEUE, before, restarted), stack.servers);

async function hourlyPlan(): Promise<string> {
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'hour', price, features: {} }];
  return vendor.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
}

async function payer(): Promise<string> {
  const { api } = vendor;
  const id = await api.made('/v1/c/customer', { name: 'Ada' });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<{ token: string }>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  return id;
}

const invoiceCount = async (contract: string): Promise<number> => (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).total;

it(`a new run for each of ${CONTRACTS} contracts, broken off and gone on with: each period is billed once, and a payment under way goes on in its run`, async () => {
  const plan = await hourlyPlan();
  const activation = new Date(Date.now() - HOUR + AHEAD).toISOString();
  const sign = async (customer: string) =>
    vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', activation });
  const ids = await Promise.all(
    Array.from({ length: CONTRACTS - 1 }, async () => sign(await vendor.api.made('/v1/c/customer', { name: 'Ada' }))),
  );
  // a busy API leaves messages to the worker, which is killed next
  await eventually(() => runsOf(ids));
  const paying = await payer();
  // nobody carries the payment out until a worker is back
  await stack.kill9('worker');
  ids.push(await sign(paying));
  const attempts = () =>
    withTestDatabase((db) => db.query<{ id: string }>('select id from payment_attempt where customer_id = $1', [paying]), stack.servers);
  const attempt = await eventually(async () => {
    const [found] = await attempts();
    if (found === undefined) throw new Error('the payment has not begun');
    return `payment:${found.id}`;
  });
  const paymentRun = await eventually(() => runOf(attempt));
  const first = await eventually(() => runsOf(ids));

  // runs that began this late stay; the server's clock is this machine's
  const before = Date.now();
  const broken = new Error('broken off');
  await expect(
    restart(before, (count) => {
      if (count > 0) throw broken;
    }),
  ).rejects.toBe(broken);
  const between = await runsOf(ids);
  const renewed = between.filter((run, i) => run !== first[i]).length;
  expect(renewed).toBe(20);
  expect(
    (await temporal.client.workflow.getHandle(ids[between.findIndex((run, i) => run !== first[i])] ?? '', undefined).describe()).status
      .name,
  ).toBe('RUNNING');

  // the list of runs lags a little behind: those that it names already are not ended a second time
  const rest = await eventually(async () => {
    const listed = await temporal.connection.workflowService.countWorkflowExecutions({
      namespace: 'default',
      query: `ExecutionStatus = 'Running' and WorkflowType = 'contractLifecycle' and StartTime >= '${new Date(before).toISOString()}'`,
    });
    expect(Number(listed.count)).toBe(renewed);
    return restart(before);
  });
  expect(rest).toBe(CONTRACTS - renewed);
  const last = await runsOf(ids);
  expect(last.filter((run, i) => run === first[i])).toEqual([]);
  expect(last.filter((run, i) => run === between[i])).toHaveLength(renewed);
  for (const [i, id] of ids.entries())
    expect((await temporal.client.workflow.getHandle(id, first[i]).describe()).status.name).toBe('TERMINATED');
  expect(await runOf(attempt)).toBe(paymentRun);

  // again, and again in the middle of the work of a herd
  await stack.restart('worker');
  await eventually(async () => expect(await Promise.all(ids.map(invoiceCount)).then((counts) => Math.max(...counts))).toBe(2));
  expect(await restart(Date.now())).toBe(CONTRACTS);
  await eventually(async () => expect(new Set(await Promise.all(ids.map(invoiceCount)))).toEqual(new Set([2])));
  await eventually(async () => {
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${paying}`);
    expect(hits.map(({ invoice }: { invoice: { status: string } }) => invoice.status)).toEqual(['paid', 'paid']);
  });
  expect(await attempts()).toHaveLength(2);
  await withTestDatabase(async (db) => {
    expect(await db.query('select 1 from sandbox_charge')).toHaveLength(2);
    expect(await checkLedger(db)).toEqual([]);
  }, stack.servers);
});
