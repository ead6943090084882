import pino from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { recordAttemptActivity } from '../../activities/payment/record.ts';
import { connect } from '../../db/connect.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import type { Provider, ProviderName } from '../../payments/port.ts';
import { beginCall, type ProviderCall } from '../../services/payment/begin-call.ts';
import { openAttempts } from '../../services/payment/open-attempt.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import type { AttemptOutcome, Charged } from '../../workflows/payment/messages.ts';
import { servers } from '../support/servers.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { invoiceOf } from './support.ts';

/** What a worker does for an attempt, step by step, so that it can die after any of them. */
export interface Steps {
  id: string;
  charge(): Promise<Charged>;
  record(charged: Charged): Promise<AttemptOutcome>;
  /** The charge in two steps: the last check, and what follows from it. */
  look(): Promise<ProviderCall>;
  call(call: ProviderCall): Promise<Charged>;
}

export interface NewAttempt {
  /** id of the method */
  method: string;
  origin?: 'automatic' | 'request';
  returnUrl?: string;
}

/** Steps of attempts with connections of their own; `close` ends these. */
export interface AttemptKit {
  db: ActivityDependencies['db'];
  /** An attempt to pay the invoice of 1 January that no worker knows of: its message is dropped. */
  open(customer: StoryCustomer, attempt: NewAttempt): Promise<Steps>;
  close(): Promise<void>;
}

/** @param more what the sandbox is to be besides */
export async function openAttemptKit(more: Partial<Provider> = {}): Promise<AttemptKit> {
  const { databaseUrl } = await servers();
  const db = await connect({ databaseUrl, databasePool: 4 });
  const config = { payments: { cardproc: null, authorize: null, retryDays: [1, 3, 5, 7] }, mode: 'embedded' as const, databaseUrl };
  const payments = await openPayments({ config, db });
  const { providers } = payments;
  const changed = { ...payments, providers: { ...providers, get: (name: ProviderName) => ({ ...providers.get(name), ...more }) } };
  const dependencies = { db, payments: changed, email: null, webhooks: null, log: pino({ level: 'silent' }), bundle: 'of the test' };
  return {
    db,
    async open(customer, attempt) {
      const attemptId = await opened(db, (await invoiceOf(customer, '2025-01-01')).invoice.id, attempt);
      return {
        id: attemptId,
        charge: () => chargeAttempt(dependencies)({ attemptId }),
        record: (charged) => recordAttemptActivity(dependencies)({ attemptId, charged }),
        look: async () => {
          const call = await db.transaction((tx) => beginCall(tx, attemptId));
          if (typeof call === 'string') throw new Error(call);
          return call;
        },
        call: (call) => providers.get('sandbox').charge(call),
      };
    },
    async close() {
      await providers.close();
      await db.close();
    },
  };
}

const opened = (db: AttemptKit['db'], invoiceId: string, { method: id, origin = 'request', returnUrl }: NewAttempt) =>
  db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    if (invoice?.status !== 'ready_for_payment') throw new Error('there is nothing to charge');
    const method = { id, provider: 'sandbox' as const };
    const [attemptId = ''] = await openAttempts(tx, [
      { invoice, method, origin, now: Date.UTC(2025, 0, 1), ...(returnUrl === undefined ? {} : { returnUrl }) },
    ]);
    tx.outbox.length = 0;
    return attemptId;
  });
