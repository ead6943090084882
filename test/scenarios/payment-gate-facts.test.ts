import { awaitGate } from '../../services/payment-gate/wait.ts';
import { alwaysWrong } from '../model/invariants.ts';
import { attemptsOf, changesBehindGate, chargesOf, paysAllTheSame, statusOf, waitingCharge, walletOf } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger, invoiceOf } from '../payments/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { metered, plan, story } from '../support/story.ts';

const small = plan('small', '30');
const large = plan('large', '180');

describe('what has changed while a gate was open', () => {
  story('is a credit note for what the change gives back: nothing is given back twice', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const gated = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { body } = await changesBehindGate(acme, large, { hours: 72 });
      const { invoice, invoice_items } = await invoiceOf(acme, '2025-06-01');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '30.00' }];
      await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
      return body;
    });
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('canceled');
    await eventually(async () => expect(await walletOf(acme)).toBe('105.00, 0.00 held'));
    await withTestDatabase((db) =>
      expect(awaitGate({ db, awaitPayment: async () => {} }, gated, null)).rejects.toThrow('customer’s wallet'),
    );
    await acme.expectsInvoices('30.00');
    await expectsSoundLedger(vendor);
  });

  story('is usage that the new plan has no price for: it is billed with the old one', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(plan('few', '30', { features: { calls: { price: metered('0.10') } } }));
    });
    await on('2025-06-10', () => acme.uses('calls', '100'));
    const gated = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      return (await changesBehindGate(acme, large, { hours: 72 })).body;
    });
    await vendor.clock.advanceTo('2025-06-16T12:00:00Z');
    await acme.uses('calls', '1000', '2025-06-16 06:00');
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('active');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 10.00', '2025-06-16 75.00', '2025-06-17 100.00');
    await expectsSoundLedger(vendor);
    expect(await withTestDatabase((db) => alwaysWrong(db, vendor.vendorId))).toEqual([]);
  });

  story('is the card, and the one given up has paid all the same: the other is given up', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_needs_action');
      const { body: gated } = await changesBehindGate(acme, large, { hours: 72 });
      await waitingCharge(gated);
      await addsMethod(acme, 'sandbox_needs_action');
      await eventually(async () => expect(await attemptsOf(gated)).toEqual(['failed', 'processing, waits']));
      const [first] = await chargesOf(gated);
      await paysAllTheSame(first?.id ?? '');
      expect(await statusOf(acme, gated)).toBe('active');
      await eventually(async () => expect(await attemptsOf(gated)).toEqual(['succeeded', 'failed']));
    });
    await expectsSoundLedger(vendor);
  });
});
