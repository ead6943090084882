import { HOUR } from '../../billing/calendar/instant.ts';
import { connect } from '../../db/connect.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Tx } from '../../db/transaction.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { signContract } from '../../services/contract/sign.ts';
import { servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { Kit, TASK_QUEUE } from '../workflows/kit.ts';

// Usage of a contract that is behind by more steps than one transaction does: it is invoiced once that has caught up.

const HOURS_LATE = 120;

let vendor: TestVendor;
let kit: Kit;
beforeAll(async () => {
  const { databaseUrl, temporalAddress } = await servers();
  vendor = await newVendor();
  kit = new Kit(await connect({ databaseUrl, databasePool: 4 }), temporalAt(temporalAddress), vendor.vendorId, TASK_QUEUE);
});
afterAll(() => kit.close());

/** Held rows are found by nobody, so that only the test brings the contract up. */
const hold = (tx: Tx, id: string) => tx.query('update agenda set held = true where contract_id = $1', [id]);

test(`120 calls of 1.00 in the last of ${HOURS_LATE} hours, threshold 100.00: nothing with the first 50 steps, 120.00 with the last`, async () => {
  const plan = await kit.plan('0', { cycle: 'hour', calls: '1' });
  const customer = await kit.customer();
  const activation = Date.now() - HOURS_LATE * HOUR + 600_000;
  const id = await kit.withoutMessages(async (tx) => {
    const signed = await signContract(tx, { ...kit.signInput(customer, plan), activation, configuration: { invoiceThreshold: '100.00' } });
    await hold(tx, signed);
    return signed;
  });
  await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '120' });
  const step = () =>
    kit.withoutMessages(async (tx) => {
      await advanceBatch(tx, [id], await nowOf(tx, null));
      await hold(tx, id);
    });
  const totals = async () => (await kit.invoices(id)).map(({ total }) => total).filter((total) => total !== '0.00');
  const reached = async () => [(await kit.state(id)).idx, await totals()];
  const seen = [await reached()];
  for (let times = 0; times < 3; times += 1) {
    await step();
    seen.push(await reached());
  }
  expect(seen).toEqual([
    [50, []],
    [100, []],
    [120, ['120.00']],
    [120, ['120.00']],
  ]);
});
