import { withTestDatabase } from '../support/database.ts';
import { plan, story } from '../support/story.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

describe('an invoice has one open attempt', () => {
  story('of 20 calls that pay at once: one is answered 200, the others 409, and 100.00 are taken once', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(plan('pro', '100'), { automatic_payment: false });
      const { invoice } = await invoiceOf(acme, '2025-01-01');
      const calls = Array.from({ length: 20 }, (_, index) =>
        acme.vendor.api.post(`/v1/c/invoice/${invoice.id}/pay`, index % 2 === 0 ? {} : { method: 'manual', reference: `wire ${index}` }),
      );
      const answers = await Promise.all(calls);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body, headers } of answers) {
        if (status === 200) continue;
        expect([status, ['payment_in_progress', 'invoice_state'].includes(body.code)]).toEqual([409, true]);
        expect(headers.get('retry-after')).toBe(body.code === 'payment_in_progress' ? '1' : null);
      }
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    const { payments } = await invoiceOf(acme, '2025-01-01');
    expect(payments.map(({ status, amount }: { status: string; amount: string }) => `${status} ${amount}`)).toEqual(['succeeded 100.00']);
    await expectsSoundLedger(acme.vendor);
  });

  story(
    'a call that pays while a slow provider works is refused, and a repeat with the same key gets the same answer',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await addsMethod(acme, 'sandbox_slow');
        await acme.signs(plan('pro', '100'), { automatic_payment: false });
        const { invoice } = await invoiceOf(acme, '2025-01-01');
        const pay = (key: string) => acme.vendor.api.post(`/v1/c/invoice/${invoice.id}/pay`, {}, { 'Idempotency-Key': key });
        const first = await pay('first');
        expect([first.status, first.body.invoice.deposit_transaction_status]).toEqual([200, 'processing']);
        expect((await pay('first')).body).toEqual(first.body);
        const second = await pay('second');
        expect([second.body.code, second.headers.get('retry-after')]).toEqual(['payment_in_progress', '3600']);
      });
      await on('2025-01-02');
      await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
      const { past } = await acme.vendor.api.read(`/v1/c/contract/${acme.contract.id}/timeline`);
      expect(past.map(({ what }: { what: string }) => what)).toEqual(expect.arrayContaining(['v1.payment.succeeded', 'v1.invoice.paid']));
    },
  );

  for (const body of [{}, { method: 'manual', reference: 'wire 1' }]) {
    story(
      `a call that paid ${'method' in body ? 'by hand' : 'by card'} and broke off before its answer answers the repeat, which pays nothing`,
      async ({ on, acme }) => {
        await on('2025-01-01', async () => {
          await addsMethod(acme, 'sandbox_ok');
          await acme.signs(plan('pro', '100'), { automatic_payment: false });
          const { invoice } = await invoiceOf(acme, '2025-01-01');
          const key = `pay ${invoice.id}`.replace(' ', ':');
          const pay = () => acme.vendor.api.post(`/v1/c/invoice/${invoice.id}/pay`, body, { 'Idempotency-Key': key });
          const first = await pay();
          expect([first.status, first.body.invoice.status]).toEqual([200, 'paid']);
          // as it is when the API dies between the payment and the answer, and the lease has lapsed
          await withTestDatabase((db) =>
            db.query(
              `update idempotency set response_status = null, response_body = null, response_headers = null, leased_until = now() - interval '1 second' where key = $1`,
              [key],
            ),
          );
          const again = await pay();
          expect([again.status, again.body]).toEqual([200, first.body]);
          expect((await pay()).body).toEqual(first.body);
        });
        const { payments } = await invoiceOf(acme, '2025-01-01');
        expect(payments).toHaveLength(1);
        await expectsSoundLedger(acme.vendor);
      },
    );
  }

  story('what is tried again stands in the timeline: a retry on 2 January', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(plan('pro', '100'));
      await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
      const { next } = await acme.vendor.api.read(`/v1/c/contract/${acme.contract.id}/timeline`);
      expect(next.map(({ what, at }: { what: string; at: string }) => `${at.slice(0, 10)} ${what}`)).toContain('2025-01-02 payment_retry');
    });
  });
});
