import pino from 'pino';
import { at } from '../../billing/calendar/instant.ts';
import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import { readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import { setReady } from '../../db/sql/clock/set-ready.ts';
import { stepClock } from '../../services/clock/step.ts';
import { planTopUps } from '../../services/credit/ask-top-up.ts';
import { openPayments, type Payments } from '../../services/payment/open-payments.ts';
import type { AnyJson } from '../support/api.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
let payments: Payments;
beforeAll(async () => {
  const all = await servers();
  kit = await openKit(all);
  const config = { payments: { cardproc: null, authorize: null, retryDays: [] }, mode: 'embedded' as const, databaseUrl: all.databaseUrl };
  payments = await openPayments({ config, db: kit.db });
});
afterAll(async () => {
  await payments.providers.close();
  await kit.close();
});

/**
 * A clock at 1 February that is advancing to 10 February, whose two contracts have not begun their second months; no
 * workflow moves it.
 */
async function amidTheFirst(): Promise<string> {
  const clock = await kit.clock('2025-01-01T00:00:00.000Z');
  const plan = await kit.plan('10.00');
  for (let i = 0; i < 2; i += 1) await kit.sign(await kit.customer(clock), plan);
  await kit.db.query(`update test_clock set status = 'advancing', now = '2025-02-01Z', target = '2025-02-10Z' where id = $1`, [clock]);
  return clock;
}

const nextDueOf = async (clock: string) => (await readClockWithNextDue(kit.db, kit.vendorId, clock))?.nextDue;

describe('a test clock', () => {
  it('on its way says what comes after the instant it is at work on; one that has failed there says that instant', async () => {
    const clock = await amidTheFirst();
    expect(await nextDueOf(clock)).toBeNull();
    await kit.db.query(`update agenda set due_at = '2025-02-03Z' where id = (select min(id) from agenda where test_clock_id = $1)`, [
      clock,
    ]);
    expect(await nextDueOf(clock)).toBe(at('2025-02-03'));
    await kit.db.query(`update test_clock set status = 'failed' where id = $1`, [clock]);
    expect(await nextDueOf(clock)).toBe(at('2025-02-01'));
  });

  it('does not settle while anything is due by its target, however it came to be there, nor before it stands at its target', async () => {
    const clock = await amidTheFirst();
    const settle = () => kit.db.transaction((tx) => setReady(tx, clock));
    const dueOn = (at: string) => kit.db.query(`update agenda set due_at = $2 where test_clock_id = $1`, [clock, at]);
    await dueOn('2025-02-11Z');
    expect(await settle()).toBe(false);
    await kit.db.query(`update test_clock set now = target where id = $1`, [clock]);
    await dueOn('2025-02-10Z');
    expect(await settle()).toBe(false);
    await dueOn('2025-02-11Z');
    expect(await settle()).toBe(true);
    expect(await readClockWithNextDue(kit.db, kit.vendorId, clock)).toMatchObject({ status: 'ready', now: at('2025-02-10') });
  });

  it('does at once what another row of the instant has brought: the invoice of a top-up is collected in the same step', async () => {
    const { api, vendorId } = await newVendor();
    const clockId: string = await api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const customerId: string = await api.made('/v1/c/customer', { name: 'Ada', test_clock: clockId });
    await api.made(`/v1/c/customer/${customerId}/activate`, {});
    const { token } = await api.made<AnyJson>(`/v1/c/customer/${customerId}/payment/session`, {});
    await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    await api.made('/v1/c/credit_grant', { customer: customerId, currency: 'usd', amount: '20', kind: 'promotional' });
    const terms = { currency: 'usd', amount: '50', price: '45', at_most_per_month: '90' };
    const id: string = await api.made(`/v1/c/customer/${customerId}/top_up`, { ...terms, below: '10' });
    await kit.db.query(`update test_clock set status = 'advancing', target = '2025-01-10Z' where id = $1`, [clockId]);
    await kit.db.transaction(async (tx) => {
      await tx.em.nativeUpdate(CreditTopUp, { id }, { below: '30' });
      await planTopUps(tx, [{ topUp: { id, vendorId, customerId, clockId }, at: at('2025-01-05') }]);
    });
    const step = await stepClock({ db: kit.db, log: pino({ level: 'silent' }), payments }, clockId, 60_000);
    const opened = await kit.db.query('select amount::text from payment_attempt where customer_id = $1', [customerId]);
    expect({ now: step.now, opened }).toEqual({ now: at('2025-01-05'), opened: [{ amount: '45.00' }] });
  });
});
