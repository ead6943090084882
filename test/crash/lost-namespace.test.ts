import { rm } from 'node:fs/promises';
import type { Client, Connection } from '@temporalio/client';
import { HOUR } from '../../billing/calendar/instant.ts';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';
import { firsts, invoiceDates, setOff, signMonthly, whenDone, whenUnderWay } from './kit.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await ownStack();
});
afterAll(() => stack?.stop());

async function loseTemporalsData(): Promise<void> {
  await stack.kill9('temporal');
  for (const file of ['temporal.db', 'temporal.db-wal', 'temporal.db-shm']) await rm(`${stack.servers.home}/${file}`, { force: true });
  await stack.restart('temporal');
}

async function withClient<T>(work: (client: Client, connection: Connection) => Promise<T>): Promise<T> {
  const { client, connection, close } = temporalAt(stack.servers.temporalAddress);
  return work(client, connection).finally(close);
}

const workflowStatus = (workflowId: string): Promise<string> =>
  withClient(async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);

const runReconcile = () =>
  withClient((client, connection) => withTestDatabase((db) => reconcile(db, client, connection, DEFAULT_TASK_QUEUE), stack.servers));

/** An active customer who pays with a card. */
async function payer({ api }: TestVendor): Promise<{ id: string; method: string }> {
  const id = await api.made('/v1/c/customer', { name: 'Ada' });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  const [method] = await api.read(`/v1/c/customer/${id}/payment/method`);
  return { id, method: method.id };
}

async function hourlyPlan({ api }: TestVendor): Promise<string> {
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'hour', price, features: {} }];
  return api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
}

const invoicesOf = async ({ api }: TestVendor, customer: string): Promise<AnyJson[]> =>
  (await api.read(`/v1/c/invoice?customer=${customer}`)).hits.map(({ invoice }: AnyJson) => invoice);

describe('a Temporal namespace that is lost', () => {
  it('in the middle of 37 months costs nothing: reconcile goes on from Postgres, 37 invoices, none twice', async () => {
    const story = await signMonthly(stack);
    await setOff(story, '2027-01-01T00:00:00Z');
    await whenUnderWay(story);
    // the worker is stopped too, or the step that it is running would end the advance on its own
    await stack.kill9('worker');
    await loseTemporalsData();
    expect((await runReconcile()).sent).toEqual(
      expect.arrayContaining([
        { kind: 'contract', count: 1 },
        { kind: 'clock', count: 1 },
      ]),
    );
    await stack.restart('worker');
    await whenDone(story);
    expect(await invoiceDates(story)).toEqual(firsts(37));
  });

  it('while all is quiet is put right by reconcile, twice for good measure, and the next month is invoiced once', async () => {
    const story = await signMonthly(stack);
    await loseTemporalsData();
    await runReconcile();
    await runReconcile();
    await setOff(story, '2024-02-01T00:00:00Z');
    await whenDone(story);
    expect(await invoiceDates(story)).toEqual(firsts(2));
  });

  it('with one of each kind of workflow under way: reconcile finds them all, and everything is done once', async () => {
    const story = await signMonthly(stack);
    const { vendor } = story;
    const { api } = vendor;
    const plan = await hourlyPlan(vendor);
    const signs = (customer: string, back = 0) =>
      api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', activation: new Date(Date.now() - back).toISOString() });
    const [old, late, paying] = [await payer(vendor), await payer(vendor), await payer(vendor)];
    await signs(old.id);
    await eventually(async () => expect(await invoicesOf(vendor, old.id)).toMatchObject([{ status: 'paid' }]));

    await stack.kill9('worker');
    await api.made(`/v1/c/customer/${late.id}/payment/method/${late.method}/detach`, {});
    const hourly = await signs(late.id, HOUR - 2_000);
    await signs(paying.id);
    await setOff(story, '2024-03-01T00:00:00Z');
    await api.made(`/v1/c/customer/${paying.id}/payment/session`, { provider: 'sandbox' });
    const [paid] = await invoicesOf(vendor, old.id);
    const { invoice_items } = await api.read(`/v1/c/invoice/${paid.id}`);
    await api.made(`/v1/c/invoice/${paid.id}/credit_note`, { items: [{ invoice_item_id: invoice_items[0].id }], to: 'payment' });
    await loseTemporalsData();

    const { sent } = await runReconcile();
    const counts = Object.fromEntries(sent.map(({ kind, count }) => [kind, count]));
    // the contracts of earlier tests are still there
    expect(counts).toMatchObject({ customer: 1, clock: 1, payment: 1, detach: 1, refund: 1 });
    expect(counts.contract).toBeGreaterThanOrEqual(4);
    await stack.restart('worker');

    await whenDone(story);
    expect(await invoiceDates(story)).toEqual(firsts(3));
    await eventually(async () => expect(await invoicesOf(vendor, paying.id)).toMatchObject([{ status: 'paid' }]));
    await eventually(async () => expect((await api.read(`/v1/c/invoice?contract=${hourly}`)).total).toBe(2));
    await withTestDatabase(async (db) => {
      const given = () => db.query('select status from payment_refund where customer_id = $1', [old.id]);
      await eventually(async () => expect(await given()).toEqual([{ status: 'succeeded' }]));
      expect(await db.query('select amount::text from sandbox_refund')).toEqual([{ amount: '10.00' }]);
      expect(await db.query('select 1 from sandbox_charge')).toHaveLength(2);
      await eventually(async () => expect(await db.query('select id from payment_method where detach_pending')).toEqual([]));
    }, stack.servers);
    await eventually(async () => expect(await workflowStatus(`customer:${paying.id}`)).toBe('RUNNING'));
  });
});
