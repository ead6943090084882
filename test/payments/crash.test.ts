import type { AttemptOutcome } from '../../workflows/payment/messages.ts';
import { plan, story } from '../support/story.ts';
import { type AttemptKit, openAttemptKit, type Steps } from './attempt-steps.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

let kit: AttemptKit;
beforeAll(async () => {
  kit = await openAttemptKit();
});
afterAll(() => kit.close());

const unpaid = plan('pro', '100');

function crash(title: string, method: string, act: (steps: Steps) => Promise<void>): void {
  story(title, async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const id = await addsMethod(acme, method);
      await acme.signs(unpaid, { automatic_payment: false });
      await act(await kit.open(acme, { method: id }));
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const charges = await kit.db.query(
      'select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.invoice_id = $1',
      [invoice.id],
    );
    expect(charges).toHaveLength(1);
    await acme.expectsWallet('0.00');
    await expectsSoundLedger(acme.vendor);
  });
}

const SUCCEEDED: AttemptOutcome = { status: 'succeeded' };

describe('100.00 are taken once when the worker dies', () => {
  crash('before the provider is called', 'sandbox_ok', async ({ charge, record }) => {
    expect(await record(await charge())).toEqual(SUCCEEDED);
  });

  crash('between its last look and the call', 'sandbox_ok', async ({ look, charge, record }) => {
    await look();
    expect(await record(await charge())).toEqual(SUCCEEDED);
  });

  crash('after the provider took the money', 'sandbox_ok', async ({ charge, record }) => {
    await charge();
    expect(await record(await charge())).toEqual(SUCCEEDED);
  });

  crash('while it waits for an answer that never comes', 'sandbox_no_answer', async ({ charge, record }) => {
    await expect(charge()).rejects.toThrow('did not answer');
    expect(await record(await charge())).toEqual(SUCCEEDED);
  });

  crash('after it has recorded, and the step runs again', 'sandbox_ok', async ({ charge, record }) => {
    const charged = await charge();
    expect([await record(charged), await record(charged)]).toEqual([SUCCEEDED, SUCCEEDED]);
    const again = await charge();
    expect(again).toEqual({ status: 'ended' });
    expect(await record(again)).toEqual(SUCCEEDED);
  });

  crash('and three others charge and record at the same moment', 'sandbox_ok', async ({ charge, record }) => {
    const all = await Promise.all([charge(), charge(), charge()]);
    expect(await Promise.all(all.map(record))).toEqual([SUCCEEDED, SUCCEEDED, SUCCEEDED]);
  });

  crash('and its call reaches the provider after another has paid', 'sandbox_ok', async ({ look, call, charge, record }) => {
    const late = await look();
    await record(await charge());
    expect(await record(await call(late))).toEqual(SUCCEEDED);
  });

  crash('and a notice of the provider says failed after it succeeded, then succeeded again', 'sandbox_ok', async ({ charge, record }) => {
    const charged = await charge();
    await record(charged);
    await record({ status: 'failed', reference: null, reason: 'declined', retryable: true });
    expect(await record(charged)).toEqual(SUCCEEDED);
  });

  crash('and success is reported after a failure was recorded', 'sandbox_ok', async ({ charge, record }) => {
    const charged = await charge();
    expect(await record({ status: 'failed', reference: null, reason: 'timeout', retryable: true })).toEqual({ status: 'failed' });
    expect(await record(charged)).toEqual(SUCCEEDED);
  });
});
