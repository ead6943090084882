import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import { type EmailRow, queueEmailRows } from '../../db/sql/email/queue.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { openGatedChange } from '../../services/payment-gate/open-change.ts';
import { changeEmailSettings } from '../../services/preferences/email.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { eventually } from '../support/eventually.ts';
import { changeTo } from '../workflows/inputs.ts';
import { addMethod, attemptOf, hastenRetry, openSession, payer } from '../workflows/payer.ts';
import type { Path } from './path.ts';

export const paymentPaths: Path[] = [
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_ok');
    return { 'payment-taken': `payment:${(await attemptOf(kit, customer, 'succeeded')).id}` };
  },
  async ({ kit }) => {
    const { customer, contract } = await payer(kit, 'sandbox_declined');
    await attemptOf(kit, customer, 'failed');
    await hastenRetry(kit, contract);
    await attemptOf(kit, customer, 'failed', 2);
    return { 'retry-on-the-wall-clock': { workflowId: contract, mustHold: 'collectPayment' } };
  },
  async ({ kit }) => {
    const customer = await kit.customer();
    await addMethod(kit, customer, null, 'sandbox_declined');
    const contract = await kit.sign(customer, await kit.plan('10.00'), { configuration: { onDunningEnd: 'cancel' } });
    await attemptOf(kit, customer, 'failed');
    await hastenRetry(kit, contract, 'dunning_end');
    return { 'an-unpaid-invoice-that-ends-its-contract': { workflowId: contract, mustHold: 'endDunning' } };
  },
  async ({ kit }) => {
    const customer = await kit.customer();
    await addMethod(kit, customer, null, 'sandbox_slow');
    const contract = await kit.sign(customer, await kit.plan('10.00'), { configuration: { automaticPayment: false } });
    const terms = { hours: 1, requireProvider: () => undefined, returnUrl: () => 'http://localhost/' };
    const change = changeTo(await kit.plan('30.00'));
    const gated = await kit.db.transaction((tx) => openGatedChange(tx, kit.call(contract), change, null, terms));
    await attemptOf(kit, customer, 'processing');
    await kit.db.query(`update payment_gate set expires = clock_timestamp() + interval '3 seconds' where contract_id = $1`, [
      gated.contractId,
    ]);
    await hastenRetry(kit, contract, 'payment_gate');
    return { 'a-change-that-was-not-paid-in-time': { workflowId: contract, mustHold: 'endPaymentGate' } };
  },
  async ({ kit }) => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const { customer, contract } = await payer(kit, 'sandbox_declined', clock);
    await attemptOf(kit, customer, 'failed');
    await kit.advance(clock, '2025-01-20');
    const { id } = await attemptOf(kit, customer, 'failed');
    return { 'payment-declined': `payment:${id}`, 'clock-with-payments': clock, 'contract-with-retries-on-a-clock': contract };
  },
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_slow');
    return { 'payment-that-takes-days': `payment:${(await attemptOf(kit, customer, 'processing')).id}` };
  },
  async ({ kit }) => {
    const { customer } = await payer(kit, 'sandbox_declined');
    await attemptOf(kit, customer, 'failed');
    const [replaced] = await kit.db.query<{ id: string }>('select id from payment_method where customer_id = $1', [customer]);
    await addMethod(kit, customer, null, 'sandbox_no_answer');
    const attempt = await attemptOf(kit, customer, 'succeeded');
    const [line] = await kit.db.query<{ id: string }>('select id from invoice_item where invoice_id = $1', [attempt.invoice]);
    const request = { to: 'payment' as const, items: [{ lineId: line?.id ?? '' }], notes: null };
    const note = await kit.db.transaction((tx) => createCreditNote(tx, kit.vendorId, attempt.invoice, request));
    const [refund] = await kit.db.query<{ id: string }>('select id from payment_refund where credit_note_id = $1', [note]);
    return {
      'payment-asked-about': `payment:${attempt.id}`,
      'method-detached': `detach:${replaced?.id}`,
      'payment-refunded': `refund:${refund?.id}`,
    };
  },
  async ({ kit }) => {
    const customer = await kit.customer();
    await openSession(kit, customer, null, Date.now() - DAY + 5_000);
    await openSession(kit, customer, null);
    const expired = async () => {
      const rows = await kit.db.query<{ status: string }>('select status from payment_session where customer_id = $1 order by created', [
        customer,
      ]);
      if (rows.map(({ status }) => status).join() !== 'expired,pending') throw new Error('the older session has not expired yet');
    };
    await eventually(expired);
    return { 'customer-with-sessions': `customer:${customer}` };
  },
  async ({ kit }) => {
    const customerId = await kit.customer();
    await kit.db.transaction((tx) => changeEmailSettings(tx, kit.vendorId, { enabled: true, from: 'billing@acme.example' }));
    const planned = (kind: string, subject: string, dueAt: Instant | null): EmailRow => ({
      customerId,
      kind,
      subject: `${subject}:${customerId}`,
      detail: { email: 'frozen', object: customerId },
      dueAt,
    });
    const rows = [
      planned('email', 'frozen', null),
      planned('card_reminder', 'soon', Date.now() + 5_000),
      planned('card_reminder', 'later', Date.now() + DAY),
    ];
    await kit.db.transaction(async (tx) => {
      await queueEmailRows(tx, rows);
      enqueue(tx, 'customer', customerId);
    });
    await eventually(async () => {
      const left = await kit.db.query('select kind from agenda where customer_id = $1', [customerId]);
      if (left.length !== 1) throw new Error('the e-mail or the first reminder is still to come');
    });
    return { 'customer-with-emails': `customer:${customerId}` };
  },
];
