import { HOUR } from '../../billing/calendar/instant.ts';
import { connect } from '../../db/connect.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { Kit, TASK_QUEUE } from '../workflows/kit.ts';
import { expectsSoundBooks } from './support.ts';

let vendor: TestVendor;
let kit: Kit;
beforeEach(async () => {
  const { databaseUrl, temporalAddress } = await servers();
  vendor = await newVendor();
  kit = new Kit(await connect({ databaseUrl, databasePool: 4 }), temporalAt(temporalAddress), vendor.vendorId, TASK_QUEUE);
});
afterEach(() => kit.close());

/** Its hours up to now are invoiced, and nothing pays them. */
async function signedHoursAgo(customerId: string, hours: number): Promise<string> {
  const plan = await kit.plan('10.00', { cycle: 'hour' });
  const contractId = await kit.sign(customerId, plan, { activation: Date.now() - hours * HOUR + HOUR / 2 });
  await eventually(async () => expect(await kit.invoices(contractId)).toHaveLength(hours));
  return contractId;
}

async function addsCard(customerId: string): Promise<void> {
  const session = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customerId}/payment/session`, { provider: 'sandbox' });
  const confirmed = await vendor.api.post(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  expect([confirmed.status, confirmed.body.status]).toEqual([200, 'succeeded']);
}

/** How the invoices of a customer stand, as "paid succeeded": 90. */
async function standing(customerId: string): Promise<Record<string, number>> {
  const rows = await kit.db.query<{ status: string; count: string }>(
    `select i.status || ' ' || coalesce(a.status, 'uncharged') as status, count(*) from invoice i left join payment_attempt a on a.invoice_id = i.id
     where i.customer_id = $1 group by 1`,
    [customerId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

it('a card added with 120 invoices due pays each once, 70 of them by the customer’s workflow', async () => {
  const customerId = await kit.customer();
  await signedHoursAgo(customerId, 120);
  await addsCard(customerId);
  await eventually(async () => expect(await standing(customerId)).toEqual({ 'paid succeeded': 120 }));
  const started = await kit.db.query(
    `select e.actor, count(*)::int as count from event e join invoice i on i.id = e.object_id
     where i.customer_id = $1 and e.type = 'v1.payment.started' group by e.actor order by e.actor`,
    [customerId],
  );
  expect(started).toEqual([
    { actor: 'caller', count: 50 },
    { actor: 'timer', count: 70 },
  ]);
  await expectsSoundBooks(vendor.vendorId);
});

it('and so does one with contracts of two chains', async () => {
  const customerId = await kit.customer();
  for (const hours of [40, 20]) await signedHoursAgo(customerId, hours);
  await addsCard(customerId);
  await eventually(async () => expect(await standing(customerId)).toEqual({ 'paid succeeded': 60 }));
  await expectsSoundBooks(vendor.vendorId);
});
