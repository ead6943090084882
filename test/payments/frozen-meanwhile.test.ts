import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { dropAttempt } from '../../services/payment/dunning.ts';
import { openAttempts } from '../../services/payment/open-attempt.ts';
import { withTestDatabase } from '../support/database.ts';
import { plan, story } from '../support/story.ts';
import { addsMethod, expectsPayments, expectsState, invoiceOf } from './support.ts';

const collectionOf = 'select kind, due_at from agenda where subject = $1';

/** An attempt at the invoice that a freeze stops before the provider is called. */
async function beginsInVain(id: string, now: number): Promise<void> {
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
