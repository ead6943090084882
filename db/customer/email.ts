import type { PortalText } from '../entities/portal.ts';

/** What a customer is written about. */
export const EMAIL_KINDS = [
  'invoice',
  'receipt',
  'payment_failed',
  'trial_ending',
  'card_expiring',
  'credit_note',
  'frozen',
  'reminder',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** What a vendor has set for its e-mails. */
export interface EmailSettings {
  enabled: boolean;
  /** address of the sender; null: nothing is sent */
  from: string | null;
  replyTo: string | null;
  /** gets a blind copy of each e-mail */
  bcc: string | null;
  /** texts of the vendor by kind, and `footer` */
  texts: Record<string, PortalText>;
  /** days from the due date of an unpaid invoice to its reminders, in ascending order */
  remindDays: number[];
  /** whether customers on test clocks get e-mails too */
  testClocks: boolean;
}
