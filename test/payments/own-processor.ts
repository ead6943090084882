import { createHmac } from 'node:crypto';
import pino from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { recordAttemptActivity } from '../../activities/payment/record.ts';
import type { Notice, ProviderName } from '../../billing/payment/types.ts';
import { connect } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { insertSession } from '../../services/payment/session.ts';
import { takeNotice } from '../../services/payment/take-notice.ts';
import { servers } from '../support/servers.ts';
import { plan } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { ScriptedAuthorize } from '../unit/payments/scripted-authorize.ts';
import { ScriptedCardProcessor } from '../unit/payments/scripted-card-processor.ts';
import { type ScriptedServer, scriptedServer } from '../unit/payments/scripted-server.ts';
import { invoiceOf, methodsOf } from './support.ts';

/** Processors of the file's own, whose keys no worker and no API has. */
let opened: ActivityDependencies | null = null;
let scripted: ScriptedServer[] = [];
/** What its Authorize.Net has done; no other run of the tests has its ids. */
export const authorizeScript = new ScriptedAuthorize(Date.now() * 1000);

beforeAll(async () => {
  const { databaseUrl } = await servers();
  scripted = await Promise.all([new ScriptedCardProcessor(), authorizeScript].map(({ reply }) => scriptedServer(reply)));
  const [cards = '', authorizes = ''] = scripted.map(({ base }) => base);
  const db = await connect({ databaseUrl, databasePool: 8 });
  const keys = { secretKey: 'sk_test', publishableKey: 'pk_test', webhookSecret: 'whsec', connectedAccount: null, apiBase: cards };
  const authorize = { loginId: 'login', transactionKey: 'secret', signatureKey: SIGNATURE_KEY, apiBase: authorizes };
  const config = { payments: { cardproc: keys, authorize, retryDays: [1] }, mode: 'production' as const, databaseUrl };
  opened = {
    db,
    payments: await openPayments({ config, db }),
    email: null,
    webhooks: null,
    log: pino({ level: 'silent' }),
    bundle: 'of the test',
  };
});

afterAll(async () => {
  await opened?.db.close();
  await Promise.all(scripted.map((one) => one.close()));
});

/** What activities have of this processor. */
export function dependencies(): ActivityDependencies {
  if (opened === null) throw new Error('the processor is not there yet');
  return opened;
}

const SIGNATURE_KEY = 'ab'.repeat(64);

/**
 * What the processor tells, through the door its webhooks come in by. Ids are made unique: the tests share a database.
 */
export const tells = (notice: Notice, provider: ProviderName = 'cardproc'): Promise<void> =>
  dependencies().db.transaction((tx) => takeNotice(tx, provider, notice, [1]));

/** Tells what Authorize.Net sends, as it is signed and read. */
export async function authorizeTells(eventType: string, id: string, one: string): Promise<void> {
  const body = Buffer.from(
    JSON.stringify({
      notificationId: one,
      eventType: `net.authorize.payment.${eventType}`,
      eventDate: new Date().toISOString(),
      payload: { id },
    }),
  );
  const signature = `sha512=${createHmac('sha512', Buffer.from(SIGNATURE_KEY, 'hex')).update(body).digest('hex')}`;
  const notices = await dependencies()
    .payments.providers.get('authorize')
    .readWebhook({ body, header: () => signature });
  for (const notice of notices) await tells(notice, 'authorize');
}

interface Card {
  vendorId: string;
  methodId: string;
  methodReference: string;
}

/** A session opened for a customer, and the notice that finishes it with a card. */
export async function opensSession(
  customer: StoryCustomer,
  methodReference?: string,
  provider: ProviderName = 'cardproc',
): Promise<{ vendorId: string; notice: Extract<Notice, { type: 'setup' }> }> {
  const { db, payments } = dependencies();
  const customerId = await customer.id();
  const [row] = await db.query<{ vendor_id: string; test_clock_id: string }>(
    'select vendor_id, test_clock_id from customer where id = $1',
    [customerId],
  );
  const vendorId = row?.vendor_id ?? '';
  const token = newId('PSess');
  const request = { token, customerId, customerName: 'Acme', email: null, customerReference: null, address: false };
  const setup = await payments.providers.get(provider).createSetup(request);
  const reference = `seti_${token}`;
  const owner = {
    token,
    vendorId,
    customerId,
    clockId: row?.test_clock_id ?? null,
    created: Date.parse('2025-01-01'),
    provider,
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
export async function addsCard(customer: StoryCustomer, provider: ProviderName = 'cardproc'): Promise<Card> {
  const { vendorId, notice } = await opensSession(customer, undefined, provider);
  await tells(notice, provider);
  await tells(notice, provider);
  const methods = await methodsOf(customer);
  expect(methods.map((one) => [one.provider, one.preference, one.status])).toEqual([[provider, 'default', 'active']]);
  return { vendorId, methodId: methods[0]?.id, methodReference: notice.reference.replace('seti_', 'pm_') };
}

/** Opens an attempt that no worker knows of: its message is dropped. */
export async function opens(customer: StoryCustomer, card: Card): Promise<{ invoiceId: string; attemptId: string }> {
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const attemptId = await dependencies().db.transaction(async (tx) => {
    const attempt = await payOnRequest(tx, card.vendorId, invoice.id, { method: card.methodId, reference: null }, () => undefined);
    tx.outbox.length = 0;
    return attempt;
  });
  return { invoiceId: invoice.id, attemptId: attemptId ?? '' };
}

export async function charges(attemptId: string): Promise<{ record: () => Promise<unknown>; reference: string }> {
  const charged = await chargeAttempt(dependencies())({ attemptId });
  if (charged.status !== 'succeeded') throw new Error(JSON.stringify(charged));
  return { record: () => recordAttemptActivity(dependencies())({ attemptId, charged }), reference: charged.reference };
}

/** Charges, and records the answer with a reference that no other run of the tests has. */
export async function charged(attemptId: string): Promise<string> {
  const { record, reference } = await charges(attemptId);
  await record();
  // the processor's ids start again in each run of the tests, its notices name our attempt
  const unique = `${reference}_${attemptId}`;
  await dependencies().db.query('update payment_attempt set reference = $2 where id = $1', [attemptId, unique]);
  return unique;
}

/** A payment by a card of this processor. */
export interface CardPayment {
  attemptId: string;
  invoiceId: string;
  /** the processor's id of the charge */
  chargeReference: string;
}

/** Signs for 100 and pays it by card. */
export async function paysByCard(customer: StoryCustomer): Promise<CardPayment> {
  await customer.signs(pro, byHand);
  const opened = await opens(customer, await addsCard(customer));
  return { ...opened, chargeReference: await charged(opened.attemptId) };
}

/** Tells how the dispute about a payment stands; `one` names the notice. */
export const tellsDispute = (
  { attemptId, chargeReference }: Omit<CardPayment, 'invoiceId'>,
  state: Extract<Notice, { type: 'dispute' }>['state'],
  { amount = '100.00', at = Date.now(), one = state as string } = {},
): Promise<void> =>
  tells({
    ...{ id: `evt_dispute_${one}_${attemptId}`, at, chargeReference, reference: `dp_${attemptId}` },
    type: 'dispute',
    currency: 'usd',
    ...{ amount, state, reason: 'fraud' },
  });

/** What the vendor has lost of an invoice. */
export async function lossesOf(invoiceId: string): Promise<string> {
  const [losses] = await dependencies().db.query<{ lost: string }>(
    `select round(sum(p.amount), 2)::text as lost from ledger_posting p join ledger_account a on a.id = p.account_id
     join ledger_transaction t on t.id = p.transaction_id where t.invoice_id = $1 and a.kind = 'losses'`,
    [invoiceId],
  );
  return losses?.lost ?? '0.00';
}

export const byHand = { automatic_payment: false };
export const pro = plan('pro', '100');
