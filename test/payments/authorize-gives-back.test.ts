import { refundAtProvider } from '../../activities/payment/refund.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsCard, authorizeScript, authorizeTells, byHand, charges, dependencies, lossesOf, opens, pro } from './own-processor.ts';
import { expectsSoundLedger, invoiceOf } from './support.ts';

const REFUND = { transactionType: 'refundTransaction', transactionStatus: 'refundPendingSettlement' };

async function paysByAuthorize(customer: StoryCustomer): Promise<{ invoiceId: string; charge: string }> {
  await customer.signs(pro, byHand);
  const { attemptId, invoiceId } = await opens(customer, await addsCard(customer, 'authorize'));
  const { record, reference } = await charges(attemptId);
  await record();
  return { invoiceId, charge: reference };
}

const voids = (charge: string): void => {
  for (const one of authorizeScript.transactions) if (one.transId === charge) one.transactionStatus = 'voided';
};

const givesBack = (customer: StoryCustomer, invoiceId: string, amount: string): Promise<string> =>
  dependencies().db.transaction(async (tx) => {
    const { invoice_items } = await invoiceOf(customer, '2025-01-01');
    const items = [{ lineId: invoice_items[0]?.id ?? '', amount }];
    const creditNote = await createCreditNote(tx, customer.vendor.vendorId, invoiceId, { items, to: 'payment', notes: null });
    tx.outbox.length = 0;
    return (await tx.em.findOneOrFail(PaymentRefund, { creditNote })).id;
  });

describe('money that Authorize.Net gives back', () => {
  story(
    'by our refund of 30.00 is counted once, 20.00 of its own pages are a loss, and 50.00 are left to give back',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        const { invoiceId, charge } = await paysByAuthorize(acme);
        const refundId = await givesBack(acme, invoiceId, '30.00');
        await refundAtProvider(dependencies())({ refundId });
        const own = authorizeScript.transactions.find((one) => one.refTransId === charge);
        for (const one of ['a', 'a', 'b']) await authorizeTells('refund.created', own?.transId ?? '', `${one}_${refundId}`);
        expect(await lossesOf(invoiceId)).toBe('0.00');

        const outside = `out_${refundId}`;
        authorizeScript.transactions.push({ ...REFUND, transId: outside, refTransId: charge, settleAmount: 20 });
        for (const one of ['c', 'c', 'd']) await authorizeTells('refund.created', outside, `${one}_${refundId}`);
        expect(await lossesOf(invoiceId)).toBe('20.00');
        await expect(givesBack(acme, invoiceId, '50.01')).rejects.toThrow('give at most 50.00 to the payment method');
        await givesBack(acme, invoiceId, '50.00');
      });
      await expectsSoundLedger(acme.vendor);
    },
  );

  story('by a void of a charge that was recorded is a loss of all of it, once', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { invoiceId, charge } = await paysByAuthorize(acme);
      voids(charge);
      for (const one of ['a', 'a', 'b']) await authorizeTells('void.created', charge, `${one}_${charge}`);
      expect(await lossesOf(invoiceId)).toBe('100.00');
      await expect(givesBack(acme, invoiceId, '0.01')).rejects.toThrow('give at most 0.00 to the payment method');
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('by a void that is reported before the answer to the charge was recorded: it is asked for again', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId, invoiceId } = await opens(acme, await addsCard(acme, 'authorize'));
      const { record, reference } = await charges(attemptId);
      voids(reference);
      const tell = () => authorizeTells('void.created', reference, `a_${attemptId}`);
      await expect(tell()).rejects.toMatchObject({ code: 'payment_in_progress' });
      await record();
      await tell();
      expect(await lossesOf(invoiceId)).toBe('100.00');
    });
    await expectsSoundLedger(acme.vendor);
  });
});
