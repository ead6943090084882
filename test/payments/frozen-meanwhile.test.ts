import type { Tx } from '../../db/connect.ts';
import { PaymentRefund } from '../../db/entities/payment.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { recordRefund } from '../../services/credit-note/refund.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { dropAttempt } from '../../services/payment/dunning.ts';
import { openAttempts } from '../../services/payment/open-attempt.ts';
import { grant } from '../../services/wallet/grant.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

const collectionOf = 'select kind, due_at from agenda where subject = $1';

/** An attempt at the invoice that a freeze stops before the provider is called; something happens while it is open. */
async function beginsInVain(id: string, now: number, meanwhile: (tx: Tx) => Promise<unknown> = async () => undefined): Promise<void> {
  await withTestDatabase((db) =>
    db.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, id);
      const [method] = await tx.query<{ id: string; provider: 'sandbox' }>(
        'select m.id, m.provider from payment_method m join customer c on c.default_payment = m.id where c.id = $1',
        [invoice?.customerId],
      );
      if (invoice === null || method === undefined) throw new Error('there is nothing to charge');
      await tx.query('delete from agenda where subject = $1', [id]);
      const [attemptId = ''] = await openAttempts(tx, [{ invoice, method, origin: 'automatic', now }]);
      tx.outbox.length = 0;
      await meanwhile(tx);
      await dropAttempt(tx, attemptId, now);
    }),
  );
}

story('an attempt that a freeze stopped is planned again when the customer is active by then', async ({ on, acme }) => {
  await on('2025-01-01', async () => {
    await addsMethod(acme, 'sandbox_ok');
    await acme.signs(plan('pro', '100'), { due_date_policy: 'end_of_period' });
  });
  const { id } = (await invoiceOf(acme, '2025-01-01')).invoice;
  await withTestDatabase(async (db) => {
    const planned = await db.query(collectionOf, [id]);
    expect(planned).toHaveLength(1);
    await beginsInVain(id, Date.UTC(2025, 0, 1));
    expect(await db.query(collectionOf, [id])).toEqual(planned);
  });
  await expectsState(acme, '2025-01-01', 'ready_for_payment not_processed 100.00');
  await on('2025-02-01', () =>
    expectsPayments(acme, '2025-01-01', '2025-01-01 failed customer_not_active 100.00', '2025-02-01 succeeded 100.00'),
  );
});

story('a retry that a freeze stopped leaves the invoice as the charge before left it: failed', async ({ on, acme }) => {
  await on('2025-01-01', async () => {
    await addsMethod(acme, 'sandbox_declined');
    await acme.signs(plan('pro', '100'));
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
    await beginsInVain((await invoiceOf(acme, '2025-01-01')).invoice.id, Date.UTC(2025, 0, 1));
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
  });
});

story('what the wallet gained while the attempt was open pays then: 100.00, and nothing is charged', async ({ on, acme, vendor }) => {
  await on('2025-01-01', async () => {
    await addsMethod(acme, 'sandbox_ok');
    await acme.signs(plan('pro', '100'), { due_date_policy: 'end_of_period' });
  });
  const [{ invoice }, customerId] = [await invoiceOf(acme, '2025-01-01'), await acme.id()];
  const at = Date.UTC(2025, 0, 1);
  const given = { vendorId: vendor.vendorId, customerId, currency: 'usd' as const, amount: '100', description: 'a present', at };
  await beginsInVain(invoice.id, at, (tx) => grant(tx, given));
  await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
  await acme.expectsWallet('0.00');
  await on('2025-02-01', () => expectsSoundLedger(vendor));
});

/** A customer that paid 100 by card and owes 40, with the refund of the 100 begun and left to the test. */
async function refunds(on: (at: string, act?: () => unknown) => Promise<unknown>, acme: StoryCustomer): Promise<string> {
  await on('2025-01-01', async () => {
    await addsMethod(acme, 'sandbox_ok');
    await acme.signs(plan('pro', '100'));
  });
  await on('2025-01-02', () => acme.signs(plan('beside', '40'), { automatic_payment: false }));
  const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
  const items = [{ lineId: invoice_items[0]?.id ?? '' }];
  return withTestDatabase((db) =>
    db.transaction(async (tx) => {
      const creditNote = await createCreditNote(tx, acme.vendor.vendorId, invoice.id, { items, to: 'payment', notes: null });
      tx.outbox.length = 0;
      return (await tx.em.findOneOrFail(PaymentRefund, { creditNote })).id;
    }),
  );
}

/** A refund fails while a transaction about its customer is all but committed. */
async function failsBeside(refundId: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await withTestDatabase(async (db) => {
    const failing: Promise<void>[] = [];
    let hasEnded = false;
    await db.transaction(async (tx) => {
      await work(tx);
      await tx.em.flush();
      const fails = db.transaction((other) => recordRefund(other, refundId, { status: 'failed', reason: 'refused' }), { by: 'provider' });
      failing.push(fails.finally(() => (hasEnded = true)));
      await eventually(async () => expect(hasEnded || (await withTestDatabase((beside) => waitingFor(tx, beside))) > 0).toBe(true));
    });
    await Promise.all(failing);
  });
}

describe('a refund that fails', () => {
  story(
    'while its customer is frozen brings 100 to the wallet, which pays the 40 at the end of the freeze',
    async ({ on, acme, vendor }) => {
      const refundId = await refunds(on, acme);
      const customerId = await acme.id();
      await failsBeside(refundId, (tx) => freezeCustomer(tx, vendor.vendorId, customerId, { notes: null }));
      await acme.expectsWallet('100.00');
      await acme.expectsUnpaid('40.00');
      await acme.unfreezes();
      await acme.expectsWallet('60.00');
      await acme.expectsUnpaid('0.00');
    },
  );

  story('while its freeze ends brings 100 to the wallet, which pays the 40 at once', async ({ on, acme, vendor }) => {
    const refundId = await refunds(on, acme);
    const customerId = await acme.id();
    await on('2025-01-03', () => acme.freezes());
    await on('2025-01-04');
    await failsBeside(refundId, (tx) => activateCustomer(tx, vendor.vendorId, customerId, null));
    await acme.expectsWallet('60.00');
    await acme.expectsUnpaid('0.00');
  });
});
