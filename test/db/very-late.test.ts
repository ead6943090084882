import { HOUR } from '../../billing/calendar/instant.ts';
import { connect } from '../../db/connect.ts';
import { signContract } from '../../services/contract/sign.ts';
import { longestHold } from '../support/longest-hold.ts';
import { servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { Kit, TASK_QUEUE } from '../workflows/kit.ts';

const HOURS_LATE = 399;
/** The steps of one contract that are done in one transaction. */
const STEPS = 50;

let vendor: TestVendor;
let kit: Kit;
let [small, large] = ['', ''];
beforeAll(async () => {
  const { databaseUrl, temporalAddress } = await servers();
  vendor = await newVendor();
  kit = new Kit(await connect({ databaseUrl, databasePool: 4 }), temporalAt(temporalAddress), vendor.vendorId, TASK_QUEUE);
  small = await kit.plan('10.00', { cycle: 'hour' });
  large = await kit.plan('20.00', { cycle: 'hour' });
});
afterAll(() => kit.close());

/**
 * A contract signed long ago that no message reaches: its workflow isn't signalled, and because its rows are held, the
 * relay doesn't find it overdue.
 */
const signsLate = (customerId: string, activation: number): Promise<string> =>
  kit.withoutMessages(async (tx) => {
    const id = await signContract(tx, { ...kit.signInput(customerId, small), activation });
    await tx.query('update agenda set held = true where contract_id = $1', [id]);
    return id;
  });

/** How many invoices of a contract each transaction wrote. */
const invoicesByTransaction = async (contractId: string): Promise<number[]> => {
  const rows = await kit.db.query<{ count: string }>(
    'select count(*) from invoice where contract_id = $1 group by xmin order by min(number)',
    [contractId],
  );
  return rows.map(({ count }) => Number(count));
};

describe(`a contract of ${HOURS_LATE} hours undone`, () => {
  it('is read as it was committed, estimated with a 503, and brought up by 50 invoices a transaction before it is changed', async () => {
    const activation = Date.now() - HOURS_LATE * HOUR + 600_000;
    const contract = await signsLate(await kit.customer(), activation);
    expect(await invoicesByTransaction(contract)).toEqual([STEPS]);

    const detail = await vendor.api.read(`/v1/c/contract/${contract}`);
    expect(detail.catching_up).toBe(true);
    expect(Date.parse(detail.billing_information.current_period.end)).toBe(activation + STEPS * HOUR);
    const to = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: large } };
    const estimate = await vendor.api.post(`/v1/c/contract/${contract}/upgrade_estimate`, to);
    expect([estimate.status, estimate.body.code, estimate.headers.get('retry-after')]).toEqual([503, 'unavailable', expect.any(String)]);
    expect(await invoicesByTransaction(contract)).toEqual([STEPS]);

    const changed = await vendor.api.post(`/v1/c/contract/${contract}/upgrade`, to);
    expect([200, 503]).toContain(changed.status);
    const written = await invoicesByTransaction(contract);
    expect(written.length).toBeGreaterThan(1);
    expect(Math.max(...written)).toBe(STEPS);
  });

  it('is listed by a move’s dry run with its code, beside the others of the plan', async () => {
    const slow = await kit.plan('10.00', { cycle: 'hour' });
    const late = await kit.withoutMessages(async (tx) => {
      const activation = Date.now() - HOURS_LATE * HOUR + 600_000;
      const id = await signContract(tx, { ...kit.signInput(await kit.customer(), slow), activation });
      await tx.query('update agenda set held = true where contract_id = $1', [id]);
      return id;
    });
    const customer = await kit.customer();
    await vendor.api.made('/v1/c/contract', { customer, plan: slow, currency: 'usd', cycle: 'hour' });
    const run = await vendor.api.post(`/v1/c/plan/${slow}/move?dry_run=true`, { to: large, when: 'next_cycle' });
    expect([run.status, run.body.contracts, run.body.refused]).toEqual([200, 1, [{ contract: late, code: 'catching_up' }]]);
  });

  it('holds the thread that answers requests for less than 100 ms in one go', async () => {
    const sign = async () => signsLate(await kit.customer(), Date.now() - HOURS_LATE * HOUR + 600_000);
    expect(await longestHold(sign)).toBeLessThan(100);
  });

  it('on a test clock, which stands for what has been done, is brought up with its signing: 400 invoices, and holds the thread no longer', async () => {
    const now = '2025-06-01T00:00:00.000Z';
    const clock = await kit.clock(now);
    const ids: string[] = [];
    const sign = async () => void ids.push(await signsLate(await kit.customer(clock), Date.parse(now) - HOURS_LATE * HOUR));
    expect(await longestHold(sign)).toBeLessThan(100);
    expect(await invoicesByTransaction(ids[0] ?? '')).toEqual([HOURS_LATE + 1]);
  });
});
