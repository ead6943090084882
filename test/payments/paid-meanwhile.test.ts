import { Dunning } from '../../db/entities/payment.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { type AttemptKit, openAttemptKit, type Steps } from './attempt-steps.ts';
import { addsMethod, expectsPaymentEvents, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

let kit: AttemptKit;
beforeAll(async () => {
  kit = await openAttemptKit();
});
afterAll(() => kit.close());

interface Both {
  first: Steps;
  second: Steps;
  /** the provider's notice that the first charge has taken the money after all */
  comesLate: () => Promise<void>;
}

interface Second {
  method?: string;
  origin?: 'automatic' | 'request';
  returnUrl?: string;
}

/** An invoice of 100.00: a first attempt took the money but was recorded as failed, and a second one is open. */
async function twoAttempts(acme: StoryCustomer, { method = 'sandbox_ok', ...more }: Second = {}, by = kit): Promise<Both> {
  const paying = await addsMethod(acme, 'sandbox_ok');
  await acme.signs(plan('pro', '100'), { automatic_payment: false });
  const first = await by.open(acme, { method: paying });
  const taken = await first.charge();
  await first.record({ status: 'failed', reference: null, reason: 'timeout', retryable: true });
  const second = await by.open(acme, { method: method === 'sandbox_ok' ? paying : await addsMethod(acme, method), ...more });
  return { first, second, comesLate: async () => expect(await first.record(taken)).toEqual({ status: 'succeeded' }) };
}

/** Takes money once: nothing of the second attempt. */
async function expectsPaidOnce(acme: StoryCustomer, secondEnds: string): Promise<void> {
  await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00', `2025-01-01 failed ${secondEnds} 100.00`);
  await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
  await acme.expectsWallet('0.00');
  const { invoice } = await invoiceOf(acme, '2025-01-01');
  expect(await kit.db.em().count(Dunning, { invoiceId: invoice.id })).toBe(0);
  await expectsSoundLedger(acme.vendor);
}

describe('money that comes late for an attempt that was recorded as failed, while the next one', () => {
  story('has not called its provider: it is dropped, nothing is charged', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { second, comesLate } = await twoAttempts(acme);
      await comesLate();
      expect(await second.record(await second.charge())).toEqual({ status: 'failed' });
    });
    await expectsPaidOnce(acme, 'invoice_paid');
    await expectsPaymentEvents(acme, '2025-01-01', [
      ...['invoice.created', 'payment.started', 'payment.failed timeout final', 'payment.started'],
      ...['payment.succeeded', 'invoice.paid'],
    ]);
  });

  story('has called, but its provider never got it: it is not sent again', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { second, comesLate } = await twoAttempts(acme);
      await second.look();
      await comesLate();
      expect(await second.record(await second.charge())).toEqual({ status: 'failed' });
    });
    await expectsPaidOnce(acme, 'invoice_paid');
  });

  story(
    'has called a provider that may not show the charge yet: it is asked again before the charge counts as lost',
    async ({ on, acme }) => {
      const late = await openAttemptKit({ shownWithin: 600_000, lookup: async () => null });
      try {
        await on('2025-01-01', async () => {
          const { second, comesLate } = await twoAttempts(acme, {}, late);
          const taken = await second.call(await second.look());
          await comesLate();
          await expect(second.charge()).rejects.toThrow('may not show this charge yet');
          expect(await second.record(taken)).toEqual({ status: 'succeeded' });
        });
        await acme.expectsWallet('100.00');
      } finally {
        await late.close();
      }
    },
  );

  story('is declined: the invoice stays paid, and nothing dunns it', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { second, comesLate } = await twoAttempts(acme, { method: 'sandbox_declined', origin: 'automatic' });
      const declined = await second.call(await second.look());
      await comesLate();
      expect(await second.record(declined)).toEqual({ status: 'failed' });
    });
    await expectsPaidOnce(acme, 'declined');
  });

  story('waits for the customer at the bank: the late money itself has it given up', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const returnUrl = 'https://shop.example/back';
      const { second, comesLate } = await twoAttempts(acme, { method: 'sandbox_needs_action', returnUrl });
      expect(await second.record(await second.charge())).toEqual({ status: 'processing' });
      await comesLate();
    });
    await expectsPaidOnce(acme, 'abandoned');
  });

  story('has taken the money too: the second 100.00 go to the wallet', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { second, comesLate } = await twoAttempts(acme);
      const taken = await second.charge();
      await comesLate();
      expect(await second.record(taken)).toEqual({ status: 'succeeded' });
    });
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00', '2025-01-01 succeeded 100.00');
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await acme.expectsWallet('100.00');
    await expectsSoundLedger(acme.vendor);
  });
});
