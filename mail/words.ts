import { type Reader, readerOf } from '../portal/messages/language.ts';
import { reasonKey } from '../portal/parts/reason.ts';
import type { EmailFacts, OutgoingEmail } from '../services/email/port.ts';

/** What an e-mail says, in the order in which it stands there. */
export interface EmailWords {
  subject: string;
  title: string;
  paragraphs: string[];
  /** what its link is called */
  button: string;
}

type Facts<K extends EmailFacts['kind']> = Extract<EmailFacts, { kind: K }>;
type Writer<K extends EmailFacts['kind']> = (reader: Reader, facts: Facts<K>, vendor: string) => EmailWords;

/** The words of an e-mail in the customer's language. */
export function wordsOfEmail({ language, facts, vendor }: Pick<OutgoingEmail, 'language' | 'facts' | 'vendor'>): EmailWords {
  const write = WRITERS[facts.kind] as (reader: Reader, facts: EmailFacts, vendor: string) => EmailWords;
  return write(readerOf(language), facts, vendor.name);
}

const WRITERS: { readonly [K in EmailFacts['kind']]: Writer<K> } = {
  invoice: ({ t, format }, { number, amountDue, collectedAt, credits, ...facts }, vendor) => {
    const total = format.money(facts.total, facts.currency);
    const values = { amount: format.money(amountDue, facts.currency), day: format.day(collectedAt ?? facts.dueDate) };
    const isPaid = /^[0.]+$/.test(amountDue);
    const standing = isPaid ? t('email.invoice_paid') : t(collectedAt === null ? 'email.invoice_open' : 'email.invoice_collected', values);
    const money = (amount: string): string => format.money(amount, facts.currency);
    const byCredits = credits === null ? [] : [t('email.invoice_credits', { used: money(credits.used), left: money(credits.left) })];
    return {
      subject: t('email.invoice_subject', { number, vendor }),
      title: t('email.invoice_title', { number, total }),
      paragraphs: [...byCredits, standing, t('email.invoice_attached')],
      button: isPaid ? t('email.open') : t('email.pay', { number }),
    };
  },
  receipt: ({ t, format }, { number, total, currency }) => ({
    subject: t('email.receipt_subject', { number }),
    title: t('email.receipt_title'),
    paragraphs: [t('email.receipt_text', { number, total: format.money(total, currency) })],
    button: t('email.open'),
  }),
  payment_failed: ({ t, format }, { number, amountDue, currency, reason, nextAttempt, end }) => ({
    subject: t('email.payment_failed_subject', { number }),
    title: t('email.payment_failed_title'),
    paragraphs: [
      t('email.payment_failed_text', { number, amount: format.money(amountDue, currency), reason: t(`reasons.${reasonKey(reason)}`) }),
      nextAttempt === null ? t('email.payment_failed_last') : t('email.payment_failed_again', { day: format.day(nextAttempt) }),
      ...(end === null ? [] : [t(`email.payment_failed_${end.action}`, { day: format.day(end.at) })]),
    ],
    button: t('email.pay', { number }),
  }),
  trial_ending: ({ t, format }, { plan, at, hasMethod, cancels }) => {
    const values = { plan, day: format.day(at) };
    const follows = hasMethod ? 'email.trial_ending_goes_on' : cancels ? 'email.trial_ending_ends' : 'email.trial_ending_add';
    return {
      subject: t('email.trial_ending_subject', values),
      title: t('email.trial_ending_title', values),
      paragraphs: [t(follows)],
      button: t('email.method'),
    };
  },
  card_expiring: ({ t }, { last4, expMonth, expYear }) => ({
    subject: t('email.card_expiring_subject', { last4 }),
    title: t('email.card_expiring_title'),
    paragraphs: [t('email.card_expiring_text', { last4, date: `${String(expMonth).padStart(2, '0')}/${expYear}` })],
    button: t('email.method'),
  }),
  credit_note: ({ t, format }, { number, invoiceNumber, total, currency }, vendor) => ({
    subject: t('email.credit_note_subject', { number, vendor }),
    title: t('email.credit_note_title', { number, total: format.money(total, currency) }),
    paragraphs: [t('email.credit_note_text', { invoice: invoiceNumber })],
    button: t('email.open'),
  }),
  frozen: ({ t, format }, { until }, vendor) => ({
    subject: t('email.frozen_subject', { vendor }),
    title: t('email.frozen_title'),
    paragraphs: [...(until === null ? [] : [t('email.frozen_until', { day: format.day(until) })]), t('email.frozen_text')],
    button: t('email.open'),
  }),
  reminder: ({ t, format }, { number, amountDue, currency, dueDate, isDue }) => {
    const values = { number, amount: format.money(amountDue, currency), day: format.day(dueDate) };
    return {
      subject: t(isDue ? 'email.reminder_late_subject' : 'email.reminder_subject', values),
      title: t(isDue ? 'email.reminder_late_title' : 'email.reminder_title', values),
      paragraphs: [t(isDue ? 'email.reminder_late_text' : 'email.reminder_text', values)],
      button: t('email.pay', { number }),
    };
  },
};
