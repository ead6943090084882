import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { Database } from '../../db/connect.ts';
import type { EmailKind, EmailSettings } from '../../db/customer/email.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { Customer, type CustomerEntity } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { creditsOfInvoice } from '../credit/left.ts';
import { readEmailSettings } from '../preferences/email.ts';
import { collectionOf } from './collected.ts';
import type { EmailFacts } from './port.ts';

/** A row of the agenda that waits for an e-mail to be sent. */
export interface QueuedEmail {
  vendorId: string;
  customerId: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** What an e-mail is written from, as the facts are when it is sent. */
export interface EmailBasis {
  customer: CustomerEntity;
  settings: EmailSettings & { from: string };
  kind: EmailKind;
  facts: EmailFacts;
  /** what its link opens, and what is attached */
  invoiceId: string | null;
  creditNoteId: string | null;
}

/** Reads all that an e-mail says; null where nothing is to be said any more, or the vendor sends none. */
export async function readEmail(db: Database, { vendorId, customerId, detail }: QueuedEmail): Promise<EmailBasis | null> {
  const em = db.em();
  const { from, ...settings } = await readEmailSettings(em, vendorId);
  const customer = await em.findOne(Customer, { id: customerId, vendorId });
  if (!settings.enabled || from === null || customer === null) return null;
  const kind = detail.email as EmailKind;
  const found = await FACTS[kind](em, String(detail.object), detail, { ...customer, now: await nowOf(db, customer.clockId) });
  if (found === null) return null;
  const { facts, invoiceId = null, creditNoteId = null } = found;
  return { customer, settings: { ...settings, from }, kind, facts, invoiceId, creditNoteId };
}

interface Found {
  facts: EmailFacts;
  invoiceId?: string;
  creditNoteId?: string;
}

/** A customer, and the time on its clock. */
type Recipient = Pick<CustomerEntity, 'defaultPayment' | 'status' | 'resumeAt'> & { now: Instant };

type Reading = (em: EntityManager, id: string, detail: Record<string, unknown>, customer: Recipient) => Promise<Found | null>;

const FACTS: Readonly<Record<EmailKind, Reading>> = {
  invoice: async (em, invoiceId, _detail, { now }) => {
    const invoice = await em.findOne(Invoice, { id: invoiceId, status: { $in: ['ready_for_payment', 'paid'] } });
    if (invoice === null) return null;
    const { number, total, amountDue, currency, dueDate } = invoice;
    const credits = await creditsOfInvoice(em, invoice, now);
    return {
      invoiceId,
      facts: { kind: 'invoice', number, total, amountDue, currency, dueDate, collectedAt: await collectionOf(em, invoiceId), credits },
    };
  },
  receipt: async (em, invoiceId) => {
    const { number, total, currency } = await em.findOneOrFail(Invoice, { id: invoiceId });
    return { invoiceId, facts: { kind: 'receipt', number, total, currency } };
  },
  payment_failed: async (em, invoiceId, { payment_id }) => {
    const invoice = await em.findOne(Invoice, { id: invoiceId, status: 'ready_for_payment', amountDue: { $gt: '0' } });
    const attempt = await em.findOne(PaymentAttempt, { id: String(payment_id) });
    if (invoice === null) return null;
    const { number, amountDue, currency } = invoice;
    const rows = await em.find(Agenda, { kind: { $in: ['payment_retry', 'dunning_end'] }, subject: invoiceId });
    const nextAttempt = rows.find(({ kind }) => kind === 'payment_retry')?.dueAt ?? null;
    const last = rows.find(({ kind }) => kind === 'dunning_end');
    const end = last === undefined ? null : { at: last.dueAt, action: last.detail.action as 'cancel' | 'freeze' };
    return { invoiceId, facts: { kind: 'payment_failed', number, amountDue, currency, reason: attempt?.reason ?? null, nextAttempt, end } };
  },
  trial_ending: async (em, contractId, { at }, { defaultPayment }) => {
    const contract = await em.findOne(ContractRecord, { id: contractId, status: 'active', start: null });
    if (contract === null) return null;
    const hasMethod = (await em.count(PaymentMethod, { id: defaultPayment, status: 'active' })) > 0;
    const cancels = contract.configuration.onTrialEnd === 'cancel_without_method';
    return { facts: { kind: 'trial_ending', plan: planName(contract.terms), at: Number(at), hasMethod, cancels } };
  },
  card_expiring: async (em, methodId) => {
    const method = await em.findOne(PaymentMethod, { id: methodId, status: 'active' });
    if (method === null) return null;
    const { last4, expMonth, expYear } = method.details;
    return { facts: { kind: 'card_expiring', last4: last4 ?? '', expMonth: expMonth ?? 0, expYear: expYear ?? 0 } };
  },
  credit_note: async (em, creditNoteId) => {
    const note = await em.findOneOrFail(CreditNote, { id: creditNoteId });
    const { number, total, currency, invoiceId } = note;
    const invoice = await em.findOneOrFail(Invoice, { id: invoiceId });
    return { invoiceId, creditNoteId, facts: { kind: 'credit_note', number, invoiceNumber: invoice.number, total, currency } };
  },
  frozen: async (_em, _id, _detail, { status, resumeAt: until }) => (status === 'inactive' ? { facts: { kind: 'frozen', until } } : null),
  reminder: async (em, invoiceId, { day }) => {
    const invoice = await em.findOne(Invoice, { id: invoiceId, status: 'ready_for_payment', amountDue: { $gt: '0' } });
    if (invoice === null) return null;
    const { number, amountDue, currency, dueDate } = invoice;
    return { invoiceId, facts: { kind: 'reminder', number, amountDue, currency, dueDate, isDue: Number(day) >= 0 } };
  },
};
