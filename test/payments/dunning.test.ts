import { plan, refused, story } from '../support/story.ts';
import { addsMethod, billingOf, expectsPaymentEvents, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

const pro = plan('pro', '100');
const max = plan('max', '300');

describe('automatic payment', () => {
  story('charges 100.00 when it is due', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro);
    });
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    expect(invoice.deposit_transaction_id).toMatch(/^Txn_/);
    await on('2025-03-01');
    await expectsPayments(acme, '2025-02-01', '2025-02-01 succeeded 100.00');
    await expectsPayments(acme, '2025-03-01', '2025-03-01 succeeded 100.00');
    await expectsPaymentEvents(acme, '2025-03-01', ['invoice.created', 'payment.started', 'payment.succeeded', 'invoice.paid']);
    await expectsSoundLedger(acme.vendor);
  });

  story('retries a declined card 1, 3, 5 and 7 days after the first failure, and no more in 30 days', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro);
    });
    await on('2025-01-31');
    const days = ['2025-01-01', '2025-01-02', '2025-01-04', '2025-01-06', '2025-01-08'];
    await expectsPayments(acme, '2025-01-01', ...days.map((day) => `${day} failed declined 100.00`));
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
    const started = (times: number) => Array(times).fill(['payment.started', 'payment.failed declined']).flat();
    await expectsPaymentEvents(acme, '2025-01-01', ['invoice.created', ...started(4), 'payment.started', 'payment.failed declined final']);
    await acme.contract.expectsStatus('active');
    await acme.expectsUnpaid('100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('doesn’t try an expired card again', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_expired_card');
      await acme.signs(pro);
    });
    await on('2025-01-20');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 failed expired_card 100.00');
    await expectsPaymentEvents(acme, '2025-01-01', ['invoice.created', 'payment.started', 'payment.failed expired_card final']);
  });

  story('tries a new card at once: declined on 1 and 2 January, paid on the 3rd', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_insufficient_funds');
      await acme.signs(pro);
    });
    await on('2025-01-03', () => addsMethod(acme, 'sandbox_ok'));
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await on('2025-01-20');
    await expectsPayments(
      acme,
      '2025-01-01',
      ...['2025-01-01 failed insufficient_funds 100.00', '2025-01-02 failed insufficient_funds 100.00', '2025-01-03 succeeded 100.00'],
    );
    await acme.expectsUnpaid('0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('keeps an upgrade whose payment fails: the new plan lives and 100.00 stay open', async ({ on, acme }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro);
      await expectsState(acme, '2025-06-01', 'paid succeeded 0.00');
    });
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.changesTo(max);
    });
    await on('2025-06-20');
    await expectsPayments(acme, '2025-06-16', ...['2025-06-16', '2025-06-17', '2025-06-19'].map((day) => `${day} failed declined 100.00`));
    await acme.contract.expectsStatus('active');
    await acme.contract.expectsStatus('moved', acme.contract.previous ?? '');
    await acme.expectsUnpaid('100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('moves the retries by the frozen time: frozen 3 to 13 January, retries on 14, 16 and 18', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro);
    });
    await on('2025-01-03', () => acme.freezes());
    await on('2025-01-13', async () => {
      expect((await invoiceOf(acme, '2025-01-01')).detailed_invoice_status).toBe('customer_not_active');
      await acme.unfreezes();
    });
    await on('2025-01-25');
    const days = ['2025-01-01', '2025-01-02', '2025-01-14', '2025-01-16', '2025-01-18'];
    await expectsPayments(acme, '2025-01-01', ...days.map((day) => `${day} failed declined 100.00`));
    await expectsSoundLedger(acme.vendor);
  });

  story('waits a day for a slow provider, and nothing else pays meanwhile', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(pro);
      await expectsState(acme, '2025-01-01', 'ready_for_payment processing 100.00');
      const { invoice } = await invoiceOf(acme, '2025-01-01');
      await refused(409, acme.vendor.api.made(`/v1/c/invoice/${invoice.id}/pay`, { method: 'manual' }), 'payment_in_progress');
      await acme.grants('40.00');
      await acme.expectsWallet('40.00');
    });
    await on('2025-01-02');
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await acme.expectsWallet('40.00');
    await on('2025-02-01');
    await expectsPayments(acme, '2025-02-01', '2025-02-01 wallet succeeded 40.00', '2025-02-01 processing 60.00');
    await on('2025-02-02');
    await expectsState(acme, '2025-02-01', 'paid succeeded 0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('takes 100.00 once when the provider never answers, and once when it answers twice', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_no_answer');
      await acme.signs(pro);
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await on('2025-01-10', () => addsMethod(acme, 'sandbox_answers_twice'));
    await on('2025-02-01');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    await expectsPayments(acme, '2025-02-01', '2025-02-01 succeeded 100.00');
    await acme.expectsWallet('0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('charges at the end of the period where invoices are due then: 1 January is charged on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro, { due_date_policy: 'end_of_period' });
    });
    await on('2025-01-31T23:00');
    await expectsState(acme, '2025-01-01', 'ready_for_payment not_processed 100.00');
    expect((await invoiceOf(acme, '2025-01-01')).detailed_invoice_status).toBe('not_yet_due');
    await on('2025-02-01');
    await expectsPayments(acme, '2025-01-01', '2025-02-01 succeeded 100.00');
  });

  story('follows the vendor: retries after 2 and 4 days, nothing below 50.00 is collected', async ({ on, acme, vendor }) => {
    await on('2025-01-01', async () => {
      await vendor.api.made('/v1/c/preferences/payment', { retry_days: [2, 4], payment_threshold: { usd: '50' } });
      const shown = () => vendor.api.read('/v1/c/preferences/payment');
      expect(await shown()).toMatchObject({ retry_days: [2, 4], payment_threshold: { usd: '50.00' } });
      for (const given of [{ eur: '5' }, null, { usd: '50' }]) {
        await vendor.api.made('/v1/c/preferences/payment', { payment_threshold: given });
        expect(Object.keys((await shown()).payment_threshold)).toEqual(Object.keys(given ?? {}));
      }
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro);
    });
    const small = vendor.customer('Small');
    await on('2025-01-02', async () => {
      await addsMethod(small, 'sandbox_ok');
      await small.signs(plan('mini', '49.99'));
    });
    await on('2025-01-20');
    const days = ['2025-01-01', '2025-01-03', '2025-01-05'];
    await expectsPayments(acme, '2025-01-01', ...days.map((day) => `${day} failed declined 100.00`));
    await expectsState(small, '2025-01-02', 'ready_for_payment not_processed 49.99');
    expect((await billingOf(small)).payment.unpaid_invoices_info[0].payment_threshold).toBe('50.00');
  });

  story(
    'starts again with another card: declined on the 1st and 2nd, the new one on the 3rd, 4th, 6th, 8th and 10th',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await addsMethod(acme, 'sandbox_declined');
        await acme.signs(pro);
      });
      await on('2025-01-03', () => addsMethod(acme, 'sandbox_insufficient_funds'));
      await on('2025-01-25');
      await expectsPayments(
        acme,
        '2025-01-01',
        ...['2025-01-01', '2025-01-02'].map((day) => `${day} failed declined 100.00`),
        ...['2025-01-03', '2025-01-04', '2025-01-06', '2025-01-08', '2025-01-10'].map((day) => `${day} failed insufficient_funds 100.00`),
      );
    },
  );
});
