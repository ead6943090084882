import type { Queryable } from '../../db/connect.ts';
import { changesBehindGate, listed, signsBehindGate, statusOf, taken, walletOf } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger, invoiceOf } from '../payments/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { metered, plan, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const small = plan('small', '30');
const large = plan('large', '180');

describe('usage while a gate is open', () => {
  const calls = (slug: string, amount: string, price: string) => plan(slug, amount, { features: { calls: { price: metered(price) } } });

  story('counts on the new contract once it is paid; what was reported late is billed on its own', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(calls('few', '30', '0.10'));
    });
    await on('2025-06-10', () => acme.uses('calls', '100'));
    const gated = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      return (await changesBehindGate(acme, calls('many', '180', '0.01'), { hours: 72 })).body;
    });
    await vendor.clock.advanceTo('2025-06-16T12:00:00Z');
    await acme.uses('calls', '50', '2025-06-15');
    await acme.uses('calls', '1000', '2025-06-16 06:00');
    await addsMethod(acme, 'sandbox_ok');
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('active');
    acme.contract.id = gated;
    // 100 calls at 0.10 and the change of 75.00 were paid by the gate, 50 calls reported late follow
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 10.00', '2025-06-16 75.00', '2025-06-17 5.00');
    await vendor.clock.advanceTo('2025-07-01T00:00:00Z');
    await acme.expectsLines('2025-07-01', 'Calls 10.00', '180.00');
    expect(await taken(acme)).toEqual(['30.00', '85.00', '5.00', '190.00']);
    await expectsSoundLedger(vendor);
  });

  story('counts on the old one where it is not', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(calls('few', '30', '0.10'));
    });
    const gated = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      return (await changesBehindGate(acme, calls('many', '180', '0.01'), { hours: 6 })).body;
    });
    await on('2025-06-16 12:00', () => acme.uses('calls', '1000'));
    expect(await statusOf(acme, gated)).toBe('canceled');
    await on('2025-07-01');
    await acme.expectsLines('2025-07-01', 'Calls 100.00', '30.00');
    await expectsSoundLedger(vendor);
  });
});

describe('a signing behind a payment gate', () => {
  /** Asks for it, and does something while it waits for its customer. */
  async function asksBeside(acme: StoryCustomer, key: string, act: (tx: Queryable) => Promise<unknown>) {
    const customerId = await acme.id();
    const { asked } = await withTestDatabase((db) =>
      db.transaction(async (tx) => {
        await tx.query('select from customer where id = $1 for update', [customerId]);
        const asking = signsBehindGate(acme, small, { key });
        await withTestDatabase((beside) => eventually(async () => expect(await waitingFor(tx, beside)).toBe(1)));
        await act(tx);
        return { asked: asking };
      }),
    );
    return asked;
  }
  /** As by a request that has taken the key over, since the lease of the first had lapsed. */
  const takeOver = (tx: Queryable, key: string) =>
    tx.query(
      `update idempotency set leased_until = now() + interval '1 minute', effect_made = true, effect = 'Cont_other'
       where operation = 'sign_contract' and key = $1 returning key`,
      [key],
    );
  const noted = (key: string) =>
    withTestDatabase((db) => db.query('select effect, response_status from idempotency where key = $1', [key]));

  story('makes nothing where another request has made its contract under the key meanwhile', async ({ on, acme }) => {
    await on('2025-06-01', () => addsMethod(acme, 'sandbox_slow'));
    const key = `taken-over-${await acme.id()}`;
    const asked = await asksBeside(acme, key, async (tx) => expect(await takeOver(tx, key)).toEqual([{ key }]));
    expect(asked).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    expect(await listed(acme)).toEqual([]);
    expect(await noted(key)).toEqual([{ effect: 'Cont_other', response_status: null }]);
  });

  story('leaves the response under the key to that request, where it is refused itself', async ({ on, acme }) => {
    await on('2025-06-01', () => addsMethod(acme, 'sandbox_slow'));
    const key = `refused-${await acme.id()}`;
    const statusBecomes = async (db: Queryable, status: string) =>
      db.query('update customer set status = $2 where id = $1', [await acme.id(), status]);
    const asked = await asksBeside(acme, key, async (tx) => {
      await takeOver(tx, key);
      await statusBecomes(tx, 'inactive');
    });
    expect(asked).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
    expect(await noted(key)).toEqual([{ effect: 'Cont_other', response_status: null }]);
    await withTestDatabase((db) => statusBecomes(db, 'active'));
  });

  story('that is paid is active from its instant; one that is declined leaves nothing', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      const declined = await signsBehindGate(acme, small);
      expect([declined.status, declined.body.code]).toEqual([402, 'payment_declined']);
      expect(await listed(acme)).toEqual([]);
      await acme.expectsInvoices();
      await addsMethod(acme, 'sandbox_ok');
      const paid = await signsBehindGate(acme, small);
      expect([paid.status, await statusOf(acme, paid.body)]).toEqual([201, 'active']);
      const { invoice, payments } = await invoiceOf(acme, '2025-06-01');
      expect([invoice.status, invoice.invoice_number.number, payments.length]).toEqual(['paid', '1', 1]);
    });
    await on('2025-07-01');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-07-01 30.00');
    await expectsSoundLedger(vendor);
  });

  story('waits as pending, holds its place, and begins at its instant when it is paid a day later', async ({ on, acme, vendor }) => {
    const waiting = await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { status, body } = await signsBehindGate(acme, small, { hours: 48 });
      expect([status, await statusOf(acme, body)]).toEqual([201, 'pending, awaits 30.00 until 2025-06-03T00:00:00.000Z']);
      expect((await acme.mayUse()).contract).toBeNull();
      const second = await signsBehindGate(acme, small);
      expect([second.status, second.body.code]).toEqual([409, 'contract_exists']);
      await refused(409, vendor.api.made(`/v1/c/contract/${body}/activate`), 'awaiting_payment');
      return body;
    });
    await on('2025-06-02');
    expect(await statusOf(acme, waiting)).toBe('active');
    expect((await acme.mayUse()).contract?.contract_id).toBe(waiting);
    await acme.expectsInvoices('2025-06-01 30.00');
    await on('2025-07-01');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-07-01 30.00');
    await expectsSoundLedger(vendor);
  });

  story('expires, is dropped by cancel, and frees its place', async ({ on, acme, vendor }) => {
    const [first, second] = await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const one = (await signsBehindGate(acme, small, { hours: 1 })).body;
      const two = (await signsBehindGate(acme, large)).body;
      await vendor.api.made(`/v1/c/contract/${two}/cancel`, { when: { type: 'now' } });
      return [one, two];
    });
    await on('2025-06-01 01:00');
    expect([await statusOf(acme, first), await statusOf(acme, second)]).toEqual(['canceled', 'canceled']);
    expect(await listed(acme)).toEqual([]);
    await on('2025-06-02');
    await eventually(async () => expect(await walletOf(acme)).toBe('210.00, 0.00 held'));
    await acme.signs(small);
    expect(await walletOf(acme)).toBe('180.00, 0.00 held');
    await expectsSoundLedger(vendor);
  });
});
