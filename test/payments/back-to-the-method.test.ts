import { refundAtProvider } from '../../activities/payment/refund.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { feedback } from '../api/support.ts';
import type { TestResponse } from '../support/api.ts';
import { story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsCard, byHand, type CardPayment, dependencies, opens, paysByCard, pro, tells, tellsDispute } from './own-processor.ts';
import { expectsSoundLedger, invoiceOf } from './support.ts';

/** A refund that somebody made in the processor's own pages; `one` names it in the file. */
const refundBehindOurBack = ({ attemptId, chargeReference }: CardPayment, one: string, amount: string, failure: string | null = null) =>
  tells({
    ...{ id: `evt_${one}_${failure}_${attemptId}`, at: Date.now(), key: null, chargeReference, reference: `re_${one}_${attemptId}` },
    type: 'refund',
    currency: 'usd',
    ...{ amount, failure },
  });

/** Asks for a credit note to the payment method; without an amount of all that is left. */
async function asks(customer: StoryCustomer, amount?: string): Promise<TestResponse> {
  const { invoice, invoice_items } = await invoiceOf(customer, '2025-01-01');
  const items = [{ invoice_item_id: invoice_items[0].id, ...(amount === undefined ? {} : { amount }) }];
  return customer.vendor.api.post(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'payment' });
}

/** That the method gets back this much and no more: a cent more is refused, with the limit, as is all that is left. */
async function expectsMost(customer: StoryCustomer, most: string): Promise<void> {
  const more = (Number(most) + 0.01).toFixed(2);
  for (const asked of [more, undefined]) {
    const answer = await asks(customer, asked);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(feedback(answer)).toEqual({ to: `give at most ${most} to the payment method and the rest to the wallet` });
  }
}

/** Gives back by a credit note, whose refund only the file's own processor can make. */
async function givesBack(customer: StoryCustomer, amount: string): Promise<string> {
  const { invoice, invoice_items } = await invoiceOf(customer, '2025-01-01');
  const items = [{ lineId: invoice_items[0].id, amount }];
  return dependencies().db.transaction(async (tx) => {
    const creditNote = await createCreditNote(tx, customer.vendor.vendorId, invoice.id, { items, to: 'payment', notes: null });
    tx.outbox.length = 0;
    return (await tx.em.findOneOrFail(PaymentRefund, { creditNote })).id;
  });
}

describe('a credit note to the payment method gives back what is still there', () => {
  story('after a refund of 5.55 behind our back: 94.45 of 100.00, and then nothing', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await refundBehindOurBack(await paysByCard(acme), 'one', '5.55');
      await expectsMost(acme, '94.45');
      await refundAtProvider(dependencies())({ refundId: await givesBack(acme, '94.45') });
      await expectsMost(acme, '0.00');
    });
    await acme.expectsWallet('0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('with a refund of ours under way, and others that failed: 30.00 and 5.55 are gone, 7.77 are not', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const payment = await paysByCard(acme);
      const refundId = await givesBack(acme, '30.00');
      await refundBehindOurBack(payment, 'one', '5.55');
      await refundBehindOurBack(payment, 'other', '7.77');
      await expectsMost(acme, '56.68');
      await refundBehindOurBack(payment, 'other', '7.77', 'declined');
      await expectsMost(acme, '64.45');
      await refundAtProvider(dependencies())({ refundId });
      await expectsMost(acme, '64.45');
      await refundAtProvider(dependencies())({ refundId: await givesBack(acme, '64.45') });
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('not what a dispute holds back or has taken; what was won is there again', async ({ on, acme }) => {
    const bolt = acme.vendor.customer('Bolt');
    await on('2025-01-01', async () => {
      const lost = await paysByCard(acme);
      await tellsDispute(lost, 'open');
      await expectsMost(acme, '0.00');
      await tellsDispute(lost, 'lost');
      await expectsMost(acme, '0.00');
      const won = await paysByCard(bolt);
      await tellsDispute(won, 'open', { amount: '40.00' });
      await expectsMost(bolt, '60.00');
      await tellsDispute(won, 'won', { amount: '40.00' });
      await refundAtProvider(dependencies())({ refundId: await givesBack(bolt, '100.00') });
      await acme.expectsWallet('0.00');
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('by that of two payments whose money is there: the card paid last and was disputed', async ({ on, acme }) => {
    const { attemptId } = await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const opened = await opens(acme, await addsCard(acme));
      const outcome = { status: 'failed' as const, reference: null, reason: 'declined', retryable: false };
      await tells({ id: `evt_f_${opened.attemptId}`, type: 'charge', key: opened.attemptId, reference: '', outcome });
      await acme.pays();
      return opened;
    });
    await on('2025-01-02', async () => {
      const payment = { attemptId, chargeReference: `pi_${attemptId}` };
      const outcome = { status: 'succeeded' as const, reference: payment.chargeReference };
      await tells({ id: `evt_s_${attemptId}`, type: 'charge', key: attemptId, reference: payment.chargeReference, outcome });
      await acme.expectsWallet('100.00');
      await tellsDispute(payment, 'lost', { amount: '60.00' });
      await givesBack(acme, '60.00');
      const inOrder = { populate: ['attempt'], orderBy: { id: 'asc' } } as const;
      const refunds = await dependencies()
        .db.em()
        .find(PaymentRefund, { customer: await acme.id() }, inOrder);
      expect(refunds.map(({ amount, attempt }) => [attempt.$.provider, amount])).toEqual([
        ['cardproc', '40.00'],
        ['self_handled', '20.00'],
      ]);
      for (const { id } of refunds) await refundAtProvider(dependencies())({ refundId: id });
    });
    await expectsSoundLedger(acme.vendor);
  });
});
