import pino from 'pino';
import type { Dependencies } from '../../activities/dependencies.ts';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { nextPayment } from '../../activities/payment/next.ts';
import { recordAttempt } from '../../activities/payment/record.ts';
import type { Database } from '../../db/connect.ts';
import { connect } from '../../db/connect.ts';
import { beginCall } from '../../db/payment/call.ts';
import { payOnRequest } from '../../db/payment/pay.ts';
import { openPayments } from '../../payments/open.ts';
import type { NextPayment } from '../../workflows/payment/messages.ts';
import { servers } from '../support/servers.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

type Claim = Extract<NextPayment, { todo: 'charge' }>;

/** What a worker does for a payment, step by step, so that it can die after any of them. */
interface Hands {
  db: Database;
  claim(): Promise<Claim>;
  charge(claim: Claim): ReturnType<ReturnType<typeof chargeAttempt>>;
  record(claim: Claim, charged: Awaited<ReturnType<ReturnType<typeof chargeAttempt>>>): Promise<void>;
  /** The call as another worker's: past its last look, before the provider. */
  provider: Dependencies['payments']['providers'];
}

let dependencies: Dependencies;

beforeAll(async () => {
  const { databaseUrl } = await servers();
  const db = await connect({ databaseUrl, databasePool: 4 });
  const deliver = async () => {};
  const config = { payments: { cardproc: null, authorize: null, retryDays: [1, 3, 5, 7] }, mode: 'embedded' as const, databaseUrl };
  dependencies = { db, deliver, payments: openPayments({ config, db, deliver }), log: pino({ level: 'silent' }), carrier: null };
});

afterAll(async () => {
  await dependencies.payments.providers.close();
  await dependencies.db.close();
});

/** An attempt of 100.00 that no worker knows of: its wish is taken back in its own transaction. */
async function openAttempt(customer: StoryCustomer, method: string): Promise<Hands> {
  const { db, payments } = dependencies;
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const [row] = await db.query<{ vendor_id: string }>('select vendor_id from invoice where id = $1', [invoice.id]);
  await db.transaction(async (tx) => {
    const { wishes } = await payOnRequest(
      tx,
      row?.vendor_id ?? '',
      invoice.id,
      { method, reference: null },
      (name) => (attemptId) => payments.providers.keyOf(name, attemptId),
    );
    await tx.query('delete from wish where id = any($1::bigint[])', [wishes]);
  });
  const claim = async (): Promise<Claim> => {
    const next = await nextPayment(dependencies)({ invoiceId: invoice.id });
    if (next.todo !== 'charge') throw new Error(`there is nothing to charge: ${JSON.stringify(next)}`);
    return next;
  };
  return {
    db,
    claim,
    charge: (taken) => chargeAttempt(dependencies)(taken),
    record: (taken, charged) => recordAttempt(dependencies)({ ...taken, charged }),
    provider: payments.providers,
  };
}

const unpaid = plan('pro', '100');

function crash(title: string, method: string, act: (hands: Hands) => Promise<void>): void {
  story(title, async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const id = await addsMethod(acme, method);
      await acme.signs(unpaid, { automatic_payment: false });
      await act(await openAttempt(acme, id));
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const charges = await dependencies.db.query(
      'select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.invoice_id = $1',
      [invoice.id],
    );
    expect(charges).toHaveLength(1);
    await acme.expectsWallet('0.00');
    await expectsSoundLedger();
  });
}

describe('100.00 are taken once when the worker dies', () => {
  crash('before the provider is called', 'sandbox_ok', async ({ claim, charge, record }) => {
    await claim();
    const second = await claim();
    await record(second, await charge(second));
  });

  crash('between its last look and the call', 'sandbox_ok', async ({ db, claim, charge, record }) => {
    const first = await claim();
    await db.transaction((tx) => beginCall(tx, first.attemptId, first.fence));
    const second = await claim();
    await record(second, await charge(second));
  });

  crash('after the provider took the money', 'sandbox_ok', async ({ claim, charge, record }) => {
    await charge(await claim());
    const second = await claim();
    await record(second, await charge(second));
  });

  crash('while it waits for an answer that never comes', 'sandbox_no_answer', async ({ claim, charge, record }) => {
    const first = await claim();
    await expect(charge(first)).rejects.toThrow('did not answer');
    const second = await claim();
    await record(second, await charge(second));
  });

  crash('after it has recorded, and the step runs again', 'sandbox_ok', async ({ claim, charge, record }) => {
    const first = await claim();
    const charged = await charge(first);
    await record(first, charged);
    await record(first, charged);
    expect(await charge(first)).toEqual({ status: 'superseded' });
  });

  crash('and comes back to life after another took over', 'sandbox_ok', async ({ claim, charge, record }) => {
    const first = await claim();
    const second = await claim();
    expect(await charge(first)).toEqual({ status: 'superseded' });
    await record(second, await charge(second));
    expect(await charge(first)).toEqual({ status: 'superseded' });
  });

  crash('and its call reaches the provider after another has paid', 'sandbox_ok', async ({ db, claim, charge, record, provider }) => {
    const first = await claim();
    const call = await db.transaction((tx) => beginCall(tx, first.attemptId, first.fence));
    const second = await claim();
    await record(second, await charge(second));
    if (typeof call === 'string') throw new Error(call);
    const late = await provider.get('sandbox').charge(call);
    await record(first, late);
  });

  crash(
    'and a notice of the provider says failed after it succeeded, then succeeded again',
    'sandbox_ok',
    async ({ claim, charge, record }) => {
      const first = await claim();
      const charged = await charge(first);
      await record(first, charged);
      await record(first, { status: 'failed', reference: null, reason: 'declined', retryable: true });
      await record(first, charged);
    },
  );

  crash('and success is told after a failure was recorded', 'sandbox_ok', async ({ claim, charge, record }) => {
    const first = await claim();
    const charged = await charge(first);
    await record(first, { status: 'failed', reference: null, reason: 'timeout', retryable: true });
    await record(first, charged);
  });
});
