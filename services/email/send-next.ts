import type { Database } from '../../db/connect.ts';
import type { Language } from '../../db/customer/language.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import type { PortalText } from '../../db/entities/portal.ts';
import { mayPass } from '../../db/fault.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { portalLook, textIn } from '../portal/look.ts';
import { createPortalToken, OVERVIEW_ENTRY, type PortalEntry } from '../portal/token.ts';
import { EmailNotTaken, type Mailer, type OutgoingEmail, type Printer } from './port.ts';
import { type EmailBasis, type QueuedEmail, readEmail } from './read.ts';
import { type EmailOutcome, recordEmail } from './record.ts';

export interface EmailParts {
  db: Database;
  /** null: this process has no mail server */
  email: { mailer: Mailer; printer: Printer } | null;
}

/** A link in an e-mail is opened when the customer reads it, which may be days later. */
const LINK_LASTS_MS = 14 * 86_400_000;

/**
 * Sends the e-mail of a customer that is due first: its facts are read now, and its outcome is recorded afterwards. Cut
 * short in between, it is sent again with the same Message-ID; no other one is.
 */
export async function sendNextEmail(parts: EmailParts, customerId: string): Promise<void> {
  const { db } = parts;
  const now = await nowOf(db, null);
  const due = { workflowId: workflowIdOf('customer', customerId), kind: 'email', dueAt: { $lte: now } };
  const row = await db.em().findOne(Agenda, due, { orderBy: { dueAt: 'asc', id: 'asc' } });
  if (row === null) return;
  const outcome = await trySending(parts, row);
  await db.transaction(async (tx) => recordEmail(tx, row, outcome, await nowOf(tx, null)), { by: 'timer' });
}

/** One that can't be written is a try like any other: it is named to operators, and the next one goes on. */
async function trySending(parts: EmailParts, row: QueuedEmail): Promise<EmailOutcome> {
  try {
    return await send(parts, row);
  } catch (error) {
    if (error instanceof EmailNotTaken) return { status: 'not_taken', reason: error.reason };
    if (mayPass(error)) throw error;
    // the name alone: a message may tell what is personal
    return { status: 'not_taken', reason: `it could not be written (${error instanceof Error ? error.name : 'unknown'})` };
  }
}

async function send({ db, email }: EmailParts, row: QueuedEmail): Promise<EmailOutcome> {
  const basis = await readEmail(db, row);
  if (basis === null) return { status: 'dropped' };
  const address = addressOf(basis.customer.emails);
  if (address === null) return { status: 'without_address' };
  if (email === null) return { status: 'not_taken', reason: 'SMTP_URL is not set' };
  await email.mailer.send(await composeEmail(db, email.printer, row, basis, address));
  return { status: 'sent' };
}

const addressOf = (emails: Readonly<Record<string, string>>): string | null => emails.billing ?? emails.main ?? null;

async function composeEmail(
  db: Database,
  printer: Printer,
  { vendorId, subject }: QueuedEmail,
  { customer, settings, kind, facts, invoiceId, creditNoteId }: EmailBasis,
  address: string,
): Promise<OutgoingEmail> {
  const look = await portalLook(db, vendorId);
  if (look === null) throw new Error(`there is no vendor ${vendorId}`);
  const language = customer.language ?? look.language;
  const visitor = { vendorId, customerId: customer.id };
  const portalToken = await db.transaction((tx) => createPortalToken(tx, visitor, entryOf(kind, invoiceId), { lastsMs: LINK_LASTS_MS }));
  return {
    reference: `${subject.replaceAll(':', '.')}.${vendorId}`,
    language,
    from: { name: look.name, address: settings.from },
    to: { name: customer.name, address },
    replyTo: settings.replyTo,
    bcc: settings.bcc,
    vendor: { name: look.name, color: look.color },
    text: wordsIn(settings.texts[kind], language),
    footer: wordsIn(settings.texts.footer, language),
    facts,
    portalToken,
    attachment: await attachmentOf(printer, vendorId, kind, invoiceId, creditNoteId),
  };
}

const wordsIn = (text: PortalText | undefined, language: Language): string | null => (text === undefined ? null : textIn(text, language));

/** Where the link of an e-mail leads: to pay what is open, or to enter a card if there is none or it expires. */
function entryOf(kind: EmailBasis['kind'], invoiceId: string | null): PortalEntry {
  if (kind === 'payment_failed' || kind === 'reminder' || kind === 'invoice') return { ...OVERVIEW_ENTRY, flow: 'pay', invoiceId };
  return kind === 'trial_ending' || kind === 'card_expiring' ? { ...OVERVIEW_ENTRY, flow: 'method' } : OVERVIEW_ENTRY;
}

async function attachmentOf(
  printer: Printer,
  vendorId: string,
  kind: EmailBasis['kind'],
  invoiceId: string | null,
  creditNoteId: string | null,
): Promise<OutgoingEmail['attachment']> {
  if (invoiceId === null) return null;
  if (kind === 'credit_note' && creditNoteId !== null) return printer.creditNote(vendorId, invoiceId, creditNoteId);
  return kind === 'invoice' || kind === 'receipt' || kind === 'reminder' ? printer.invoice(vendorId, invoiceId) : null;
}
