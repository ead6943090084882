import pino from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { recordAttemptActivity } from '../../activities/payment/record.ts';
import type { Notice } from '../../billing/payment/types.ts';
import { connect } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { insertSession } from '../../services/payment/session.ts';
import { takeNotice } from '../../services/payment/take-notice.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { ScriptedCardProcessor } from '../unit/payments/scripted-card-processor.ts';
import { type ScriptedServer, scriptedServer } from '../unit/payments/scripted-server.ts';
import { eventsOf } from './gate-support.ts';
import { billingOf, expectsPaymentEvents, expectsPayments, expectsSoundLedger, expectsState, invoiceOf, methodsOf } from './support.ts';

let dependencies: ActivityDependencies;
let processor: ScriptedCardProcessor;
let server: ScriptedServer;

beforeAll(async () => {
  const { databaseUrl } = await servers();
  processor = new ScriptedCardProcessor();
  server = await scriptedServer(processor.reply);
  const db = await connect({ databaseUrl, databasePool: 8 });
  const keys = { secretKey: 'sk_test', publishableKey: 'pk_test', webhookSecret: 'whsec', connectedAccount: null, apiBase: server.base };
  const config = { payments: { cardproc: keys, authorize: null, retryDays: [1] }, mode: 'production' as const, databaseUrl };
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
  await dependencies.db.close();
  await server.close();
});

/**
 * What the processor tells, through the door its webhooks come in by. Ids are made unique: the tests share a database.
 */
const tells = (notice: Notice): Promise<void> => dependencies.db.transaction((tx) => takeNotice(tx, 'cardproc', notice, [1]));

interface Card {
  vendorId: string;
  methodId: string;
  methodReference: string;
}

/** A session opened for a customer, and the notice that finishes it with a card. */
async function opensSession(
  customer: StoryCustomer,
  methodReference?: string,
): Promise<{ vendorId: string; notice: Extract<Notice, { type: 'setup' }> }> {
  const { db, payments } = dependencies;
  const customerId = await customer.id();
  const [row] = await db.query<{ vendor_id: string; test_clock_id: string }>(
    'select vendor_id, test_clock_id from customer where id = $1',
    [customerId],
  );
  const vendorId = row?.vendor_id ?? '';
  const token = newId('PSess');
  const request = { token, customerId, customerName: 'Acme', email: null, customerReference: null, address: false };
  const setup = await payments.providers.get('cardproc').createSetup(request);
  const reference = `seti_${token}`;
  const owner = {
    token,
    vendorId,
    customerId,
    clockId: row?.test_clock_id ?? null,
    created: Date.parse('2025-01-01'),
    provider: 'cardproc' as const,
  };
  await db.transaction((tx) =>
    insertSession(tx, { ...owner, ...setup, reference, address: false, detachPrevious: false, planId: null, pricingId: null }),
  );
  const method = {
    reference: methodReference ?? `pm_${token}`,
    customerReference: 'cus_1',
    type: 'card' as const,
    holderName: 'Ada',
    details: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 },
  };
  const outcome = { status: 'succeeded' as const, method };
  return { vendorId, notice: { id: `evt_${token}`, type: 'setup', reference, customerReference: 'cus_1', outcome } };
}

/** A card set up through a session that only the processor's notice finishes, reported twice. */
async function addsCard(customer: StoryCustomer): Promise<Card> {
  const { vendorId, notice } = await opensSession(customer);
  await tells(notice);
  await tells(notice);
  const methods = await methodsOf(customer);
  expect(methods.map(({ provider, preference, status }) => [provider, preference, status])).toEqual([['cardproc', 'default', 'active']]);
  return { vendorId, methodId: methods[0]?.id, methodReference: notice.reference.replace('seti_', 'pm_') };
}

/** Opens an attempt that no worker knows of: its message is dropped. */
async function opens(customer: StoryCustomer, card: Card): Promise<{ invoiceId: string; attemptId: string }> {
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const attemptId = await dependencies.db.transaction(async (tx) => {
    const opened = await payOnRequest(tx, card.vendorId, invoice.id, { method: card.methodId, reference: null }, () => undefined);
    tx.outbox.length = 0;
    return opened;
  });
  return { invoiceId: invoice.id, attemptId: attemptId ?? '' };
}

async function charges(attemptId: string) {
  const charged = await chargeAttempt(dependencies)({ attemptId });
  if (charged.status !== 'succeeded') throw new Error(JSON.stringify(charged));
  return { record: () => recordAttemptActivity(dependencies)({ attemptId, charged }), reference: charged.reference };
}

const byHand = { automatic_payment: false };
const pro = plan('pro', '100');

describe('notices of the card processor', () => {
  story('may come before the answer, twice, and in the wrong order: 100.00 are booked once', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId } = await opens(acme, await addsCard(acme));
      const { record, reference } = await charges(attemptId);
      const outcome = { status: 'succeeded' as const, reference };
      const shown: Notice = { id: `evt_a_${attemptId}`, type: 'charge', key: attemptId, reference, outcome };
      await tells(shown);
      await tells(shown);
      await record();
      await tells({ ...shown, id: `evt_b_${attemptId}`, outcome: { status: 'pending', reference, askAgainAt: Date.parse('2025-01-02') } });
      await tells({
        ...shown,
        id: `evt_c_${attemptId}`,
        key: null,
        outcome: { status: 'failed', reference, reason: 'late', retryable: true },
      });
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('never come: the answer alone pays', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId } = await opens(acme, await addsCard(acme));
      await (await charges(attemptId)).record();
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
  });

  story(
    'tell of a dispute that is lost before it was opened, and of a refund behind our back: 100.00 and 20.00 are losses',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await acme.signs(pro, byHand);
        const { invoiceId, attemptId } = await opens(acme, await addsCard(acme));
        const { record, reference: chargeReference } = await charges(attemptId);
        await record();
        // the processor's ids start again in each run of the tests, its notices name our attempt
        await dependencies.db.query('update payment_attempt set reference = $2 where id = $1', [
          attemptId,
          `${chargeReference}_${attemptId}`,
        ]);
        const reference = `${chargeReference}_${attemptId}`;
        const dispute = {
          type: 'dispute' as const,
          chargeReference: reference,
          reference: `dp_${attemptId}`,
          amount: '100.00',
          currency: 'usd' as const,
          reason: 'fraud',
        };
        await tells({ id: `evt_d_${attemptId}`, ...dispute, state: 'lost' });
        await tells({ id: `evt_e_${attemptId}`, ...dispute, state: 'open' });
        const refund = {
          type: 'refund' as const,
          chargeReference: reference,
          reference: `re_${attemptId}`,
          amount: '20.00',
          currency: 'usd' as const,
          ours: false,
        };
        await tells({ id: `evt_f_${attemptId}`, ...refund });
        await tells({ id: `evt_f_${attemptId}`, ...refund });
        const { disputes } = await invoiceOf(acme, '2025-01-01');
        expect(disputes).toMatchObject([{ reference: `dp_${attemptId}`, amount: '100.00', state: 'lost', reason: 'fraud' }]);
        const [losses] = await dependencies.db.query(
          `select round(sum(p.amount), 2)::text as lost from ledger_posting p join ledger_account a on a.id = p.account_id
         join ledger_transaction t on t.id = p.transaction_id where t.invoice_id = $1 and a.kind = 'losses'`,
          [invoiceId],
        );
        expect(losses).toEqual({ lost: '120.00' });
      });
      await expectsPaymentEvents(acme, '2025-01-01', [
        ...['invoice.created', 'payment.started', 'payment.succeeded', 'invoice.paid'],
        ...['dispute.opened fraud', 'dispute.closed fraud', 'refund.created'],
      ]);
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      await expectsSoundLedger(acme.vendor);
    },
  );

  story(
    "name a card that is another customer's: the session fails with the reason, and the card stays where it is",
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', async () => {
        const bolt = vendor.customer('Bolt');
        const card = await addsCard(acme);
        const { notice } = await opensSession(bolt, card.methodReference);
        await tells(notice);
        expect(await methodsOf(bolt)).toEqual([]);
        expect(await methodsOf(acme)).toHaveLength(1);
        const sessions = await dependencies.db.query('select status, reason from payment_session where reference = $1', [notice.reference]);
        expect(sessions).toEqual([{ status: 'failed', reason: 'method_of_another_customer' }]);
      });
    },
  );

  story('tell that a method is gone: it is detached, and nothing is the default', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const card = await addsCard(acme);
      await tells({ id: `evt_g_${card.methodId}`, type: 'method_detached', methodReference: card.methodReference });
      expect(await methodsOf(acme)).toEqual([]);
      expect((await billingOf(acme)).payment.payment_provider).toBe('self_handled');
    });
  });

  story('tell it twice at once: one event says so', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const card = await addsCard(acme);
      const customer = await acme.id();
      const tellsAs = (one: string) =>
        tells({ id: `evt_${one}_${card.methodId}`, type: 'method_detached', methodReference: card.methodReference });
      const telling = await withTestDatabase((db) =>
        db.transaction(async (tx) => {
          await tx.query('select id from customer where id = $1 for update', [customer]);
          const both = [tellsAs('a'), tellsAs('b')];
          // the second one waits for the first, not for this transaction
          await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(tx, beside))).toBe(1));
          return { both };
        }),
      );
      await Promise.all(telling.both);
      expect(await eventsOf(acme, card.methodId)).toEqual(['payment_method.added', 'payment_method.detached']);
    });
  });
});
