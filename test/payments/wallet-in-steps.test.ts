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
async function signedHoursAgo(customerId: string, hours: number, now = Date.now()): Promise<void> {
  const plan = await kit.plan('10.00', { cycle: 'hour' });
  const contractId = await kit.sign(customerId, plan, { activation: now - hours * HOUR + HOUR / 2 });
  await eventually(async () => expect(await kit.invoices(contractId)).toHaveLength(hours));
}

const gives = (customerId: string, amount: string): Promise<string> =>
  vendor.api.made(`/v1/c/customer/${customerId}/wallet/transaction`, { currency: 'usd', amount, description: 'By hand' });

/** How many invoices are paid, and in how many transactions; and what is left in the wallet. */
async function paid(customerId: string): Promise<{ invoices: number; transactions: number; balance: string }> {
  const [row] = await kit.db.query<{ invoices: number; transactions: number }>(
    `select count(*)::int as invoices, count(distinct t.xmin::text)::int as transactions
     from wallet_transaction t join wallet w on w.id = t.wallet_id where w.customer_id = $1 and t.kind = 'payment'`,
    [customerId],
  );
  const { balances } = await vendor.api.read(`/v1/c/customer/${customerId}/wallet`);
  return { invoices: 0, transactions: 0, ...row, balance: balances[0]?.balance ?? '' };
}

it('money given to a customer with 450 open invoices pays them all, 200 in a transaction', async () => {
  const customerId = await kit.customer();
  for (const hours of [250, 200]) await signedHoursAgo(customerId, hours);
  await gives(customerId, '5000.00');
  await eventually(async () => expect(await paid(customerId)).toEqual({ invoices: 450, transactions: 3, balance: '500.00' }));
  const left = () => kit.db.query('select kind from agenda where customer_id = $1 and contract_id is null', [customerId]);
  await eventually(async () => expect(await left()).toEqual([]));
  await expectsSoundBooks(vendor.vendorId);
});

describe('on a test clock', () => {
  const now = '2025-06-01T00:00:00.000Z';

  it('that stands still, it pays them as well', async () => {
    const customerId = await kit.customer(await kit.clock(now));
    await signedHoursAgo(customerId, 300, Date.parse(now));
    await gives(customerId, '3000.00');
    await eventually(async () => expect(await paid(customerId)).toEqual({ invoices: 300, transactions: 2, balance: '0.00' }));
    await expectsSoundBooks(vendor.vendorId);
  });

  it('that is advanced at once, it has paid them all when the clock is ready', async () => {
    const clock = await kit.clock(now);
    const customerId = await kit.customer(clock);
    await signedHoursAgo(customerId, 399, Date.parse(now));
    await gives(customerId, '5000.00');
    await kit.advance(clock, '2025-06-01T02:00:00.000Z');
    expect(await paid(customerId)).toMatchObject({ invoices: 401, balance: '990.00' });
    await expectsSoundBooks(vendor.vendorId);
  });
});
