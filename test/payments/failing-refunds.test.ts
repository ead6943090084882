import { refundAtProvider } from '../../activities/payment/refund.ts';
import type { Notice } from '../../billing/payment/types.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { recordRefund } from '../../services/credit-note/refund.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { eventsOf } from './gate-support.ts';
import { addsCard, byHand, charged, dependencies, lossesOf, opens, pro, tells } from './own-processor.ts';
import { expectsPaymentEvents, expectsSoundLedger, invoiceOf } from './support.ts';

/** A customer that paid 100 by card, with the refund of the 100 begun, and the notice that it has failed. */
async function refunds(
  on: (at: string, act: () => Promise<void>) => Promise<unknown>,
  acme: StoryCustomer,
): Promise<{ refundId: string; failed: Omit<Extract<Notice, { type: 'refund' }>, 'id'> }> {
  await on('2025-01-01', async () => {
    await acme.signs(pro, byHand);
    const { attemptId } = await opens(acme, await addsCard(acme));
    await charged(attemptId);
  });
  const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
  const items = [{ lineId: invoice_items[0]?.id ?? '' }];
  const refundId = await dependencies().db.transaction(async (tx) => {
    const creditNote = await createCreditNote(tx, acme.vendor.vendorId, invoice.id, { items, to: 'payment', notes: null });
    tx.outbox.length = 0;
    return (await tx.em.findOneOrFail(PaymentRefund, { creditNote })).id;
  });
  const about = { at: Date.now(), key: refundId, chargeReference: `pi_${refundId}`, reference: `re_${refundId}` };
  return { refundId, failed: { type: 'refund', ...about, amount: '100.00', currency: 'usd', failure: 'expired_or_canceled_card' } };
}

async function expectsRefund(customer: StoryCustomer, expected: { amount: string; status: string; reason: string | null }): Promise<void> {
  const { credit_notes } = await invoiceOf(customer, '2025-01-01');
  expect(credit_notes.flatMap(({ refunds: made }: AnyJson) => made)).toEqual([expected]);
}

describe('notices of the card processor', () => {
  story('tell that a refund is failing days after it was made: 100.00 go to the wallet, once', async ({ on, acme }) => {
    const { refundId, failed } = await refunds(on, acme);
    await refundAtProvider(dependencies())({ refundId });
    await expectsRefund(acme, { amount: '100.00', status: 'succeeded', reason: null });
    await acme.expectsWallet('0.00');
    await on('2025-01-05', async () => {
      await tells({ id: `evt_h_${refundId}`, ...failed, failure: null });
      await expectsRefund(acme, { amount: '100.00', status: 'succeeded', reason: null });
      for (const one of ['i', 'i', 'j']) await tells({ id: `evt_${one}_${refundId}`, ...failed });
    });
    await expectsRefund(acme, { amount: '100.00', status: 'failed', reason: 'expired_or_canceled_card' });
    await acme.expectsWallet('100.00');
    const [wallet] = await dependencies().db.query<{ id: string }>('select id from wallet where customer_id = $1', [await acme.id()]);
    await eventually(async () => expect(await eventsOf(acme, wallet?.id ?? '')).toEqual(['wallet.changed']));
    await expectsSoundLedger(acme.vendor);
  });

  story('tell so before the answer to the refund is recorded: it stays failed', async ({ on, acme }) => {
    const { refundId, failed } = await refunds(on, acme);
    await tells({ id: `evt_k_${refundId}`, ...failed });
    await dependencies().db.transaction((tx) => recordRefund(tx, refundId, { status: 'succeeded', reference: `re_${refundId}` }));
    await expectsRefund(acme, { amount: '100.00', status: 'failed', reason: 'expired_or_canceled_card' });
    await acme.expectsWallet('100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('tell that a refund behind our back has failed, before or after it was made: no loss is left', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { invoiceId, attemptId } = await opens(acme, await addsCard(acme));
      const chargeReference = await charged(attemptId);
      const refund = (one: string, amount: string, failure: string | null) => ({
        type: 'refund' as const,
        ...{ at: Date.now(), key: null, chargeReference, reference: `re_${one}_${attemptId}`, amount, currency: 'usd' as const, failure },
      });
      await tells({ id: `evt_l_${attemptId}`, ...refund('late', '20.00', null) });
      expect(await lossesOf(invoiceId)).toBe('20.00');
      await tells({ id: `evt_m_${attemptId}`, ...refund('late', '20.00', 'declined') });
      await tells({ id: `evt_n_${attemptId}`, ...refund('late', '20.00', 'declined') });
      expect(await lossesOf(invoiceId)).toBe('0.00');
      await tells({ id: `evt_o_${attemptId}`, ...refund('early', '30.00', 'declined') });
      await tells({ id: `evt_p_${attemptId}`, ...refund('early', '30.00', null) });
      expect(await lossesOf(invoiceId)).toBe('0.00');
    });
    const events = ['invoice.created', 'payment.started', 'payment.succeeded', 'invoice.paid', 'refund.created'];
    await expectsPaymentEvents(acme, '2025-01-01', events);
    await acme.expectsWallet('0.00');
    await expectsSoundLedger(acme.vendor);
  });
});
