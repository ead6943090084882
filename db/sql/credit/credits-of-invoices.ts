import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { CreditMovementKind, MovedLine } from '../../entities/credit.ts';

/** What a grant paid of an invoice or got back of it, in the order in which it happened. */
export interface InvoiceCredit {
  invoiceId: string;
  grantId: string;
  kind: CreditMovementKind;
  /** negative: it paid; positive: it got back */
  amount: string;
  at: Instant;
  place: number | null;
  lines: MovedLine[];
}

/**
 * The uses of grants by invoices, and what went back, oldest first. SQL, because every settlement of a customer with
 * grants asks it for all open invoices at once.
 */
export const creditsOfInvoices = (db: Queryable, invoiceIds: readonly string[]): Promise<InvoiceCredit[]> =>
  db.query<InvoiceCredit>(
    `select invoice_id as "invoiceId", grant_id as "grantId", kind, amount, at, place, lines
     from credit_movement where invoice_id = any($1::text[]) order by seq`,
    [invoiceIds],
  );
