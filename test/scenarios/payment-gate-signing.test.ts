import { changesBehindGate, listed, signsBehindGate, statusOf, taken, walletOf } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger, invoiceOf } from '../payments/support.ts';
import { eventually } from '../support/eventually.ts';
import { metered, plan, refused, story } from '../support/story.ts';

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
