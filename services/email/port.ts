import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Language } from '../../db/customer/language.ts';

/** What an e-mail says, by its kind; instants are on the customer's clock. */
export type EmailFacts =
  | {
      kind: 'invoice';
      number: string;
      total: string;
      amountDue: string;
      currency: Currency;
      dueDate: Instant;
      /** when it is collected automatically; null: it isn't */
      collectedAt: Instant | null;
      /** what prepaid credits have paid of it, and what is left of them; null: nothing */
      credits: { used: string; left: string } | null;
    }
  | { kind: 'receipt'; number: string; total: string; currency: Currency }
  | {
      kind: 'payment_failed';
      number: string;
      amountDue: string;
      currency: Currency;
      reason: string | null;
      nextAttempt: Instant | null;
      /** what follows if it stays unpaid */
      end: { at: Instant; action: 'cancel' | 'freeze' } | null;
    }
  | { kind: 'trial_ending'; plan: string; at: Instant; hasMethod: boolean; cancels: boolean }
  | { kind: 'card_expiring'; last4: string; expMonth: number; expYear: number }
  | { kind: 'credit_note'; number: string; invoiceNumber: string; total: string; currency: Currency }
  | { kind: 'frozen'; until: Instant | null }
  | { kind: 'reminder'; number: string; amountDue: string; currency: Currency; dueDate: Instant; isDue: boolean };

export interface EmailAddress {
  name: string;
  address: string;
}

/** An e-mail that is ready to be sent. */
export interface OutgoingEmail {
  /** fixed by the fact, so that a repeat is known as one */
  reference: string;
  language: Language;
  from: EmailAddress;
  to: EmailAddress;
  replyTo: string | null;
  bcc: string | null;
  /** the vendor as its portal shows it */
  vendor: { name: string; color: string };
  /** the vendor's own words in this e-mail, and at its foot */
  text: string | null;
  footer: string | null;
  facts: EmailFacts;
  /** opens the portal once */
  portalToken: string;
  attachment: { name: string; bytes: Buffer } | null;
}

/** Sends e-mails. */
export interface Mailer {
  /** @throws EmailNotTaken */
  send(email: OutgoingEmail): Promise<void>;
}

/** The mail server can't be reached or didn't take an e-mail; the reason holds no address. */
export class EmailNotTaken extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`the e-mail was not taken: ${reason}`);
    this.reason = reason;
  }
}

/** Prints what is attached. */
export interface Printer {
  invoice(vendorId: string, id: string): Promise<{ bytes: Buffer; name: string } | null>;
  creditNote(vendorId: string, invoiceId: string, id: string): Promise<{ bytes: Buffer; name: string } | null>;
}
