import { openForCharge } from '../../db/payment/claim.ts';
import { dropAttempt } from '../../db/payment/dunning.ts';
import { holdInvoice } from '../../db/payment/held-invoice.ts';
import { plan, story } from '../support/story.ts';
import { withDatabase } from '../support/vendor.ts';
import { addsMethod, expectsPayments, invoiceOf } from './support.ts';

const collectionOf = 'select kind, due_at from agenda where subject = $1';

story('an attempt that a freeze stopped is planned anew when the customer is active by then', async ({ on, acme }) => {
  await on('2025-01-01', async () => {
    await addsMethod(acme, 'sandbox_ok');
    await acme.signs(plan('pro', '100'), { due_date_policy: 'end_of_period' });
  });
  const { id } = (await invoiceOf(acme, '2025-01-01')).invoice;
  await withDatabase(async (db) => {
    const planned = await db.query(collectionOf, [id]);
    expect(planned).toHaveLength(1);
    const now = Date.UTC(2025, 0, 1);
    await db.transaction(async (tx) => {
      const invoice = await holdInvoice(tx, id);
      const [method] = await tx.query<{ id: string; provider: 'sandbox' }>(
        'select m.id, m.provider from payment_method m join customer c on c.default_payment = m.id where c.id = $1',
        [invoice?.customerId],
      );
      if (invoice === null || method === undefined) throw new Error('there is nothing to charge');
      await tx.query('delete from agenda where subject = $1', [id]);
      const attemptId = await openForCharge(tx, { invoice, method, origin: 'automatic', now, keyOf: () => (attempt) => attempt });
      await dropAttempt(tx, attemptId, 1, now);
    });
    expect(await db.query(collectionOf, [id])).toEqual(planned);
  });
  await on('2025-02-01', () =>
    expectsPayments(acme, '2025-01-01', '2025-01-01 failed customer_not_active 100.00', '2025-02-01 succeeded 100.00'),
  );
});
