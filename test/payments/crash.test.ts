import pino from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { recordAttemptActivity } from '../../activities/payment/record.ts';
import { connect } from '../../db/connect.ts';
import { beginCall, type ProviderCall } from '../../services/payment/begin-call.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import type { AttemptOutcome, Charged } from '../../workflows/payment/messages.ts';
import { servers } from '../support/servers.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

/** What a worker does for an attempt, step by step, so that it can die after any of them. */
interface Steps {
  charge(): Promise<Charged>;
  record(charged: Charged): Promise<AttemptOutcome>;
  /** The charge in two steps: the last check, and what follows from it. */
  look(): Promise<ProviderCall>;
  call(call: ProviderCall): Promise<Charged>;
}

let dependencies: ActivityDependencies;

beforeAll(async () => {
  const { databaseUrl } = await servers();
  const db = await connect({ databaseUrl, databasePool: 4 });
  const config = { payments: { cardproc: null, authorize: null, retryDays: [1, 3, 5, 7] }, mode: 'embedded' as const, databaseUrl };
  dependencies = {
    db,
    payments: await openPayments({ config, db }),
    email: null,
    webhooks: null,
    log: pino({ level: 'silent' }),
    bundle: 'of the test',
  };
});

afterAll(async () => {
  await dependencies.payments.providers.close();
  await dependencies.db.close();
});

/** An attempt of 100.00 that no worker knows of: its message is dropped. */
async function openAttempt(customer: StoryCustomer, method: string): Promise<Steps> {
  const { db, payments } = dependencies;
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const [row] = await db.query<{ vendor_id: string }>('select vendor_id from invoice where id = $1', [invoice.id]);
  const attemptId = await db.transaction(async (tx) => {
    const opened = await payOnRequest(tx, row?.vendor_id ?? '', invoice.id, { method, reference: null }, () => undefined);
    tx.outbox.length = 0;
    return opened;
  });
  if (attemptId === null) throw new Error('there is nothing to charge');
  return {
    charge: () => chargeAttempt(dependencies)({ attemptId }),
    record: (charged) => recordAttemptActivity(dependencies)({ attemptId, charged }),
    look: async () => {
      const call = await db.transaction((tx) => beginCall(tx, attemptId));
      if (typeof call === 'string') throw new Error(call);
      return call;
    },
    call: (call) => payments.providers.get('sandbox').charge(call),
  };
}

const unpaid = plan('pro', '100');

function crash(title: string, method: string, act: (steps: Steps) => Promise<void>): void {
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
