import type { InferEntity, Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Queryable } from '../connect.ts';
import { CreditNote, type CreditNoteRecord } from '../entities/credit-note.ts';
import { PaymentAttempt, PaymentDispute } from '../entities/payment.ts';
import { WalletTransaction } from '../entities/wallet.ts';
import { timePart } from '../id.ts';
import { INVOICE_COLUMNS, INVOICE_FROM, type InvoiceRecord, statesShownAs } from '../mapping/invoice.ts';
import { type LineRow, toLine } from '../mapping/line.ts';
import { stampOrNull } from '../rows.ts';
import type { List } from '../sql/list/page.ts';
import { Where } from '../sql/list/where.ts';

interface InvoiceFilter {
  customer?: string | undefined;
  contract?: string | undefined;
  status?: string | undefined;
  /** from this instant on */
  after?: number | undefined;
  /** up to this instant, which isn't included */
  before?: number | undefined;
}

export function invoiceList(vendorId: string, filter: InvoiceFilter): List {
  return {
    from: INVOICE_FROM,
    select: INVOICE_COLUMNS,
    at: 'invoice.date',
    id: 'invoice.id',
    where: new Where()
      .and('invoice.vendor_id = ?', vendorId)
      .andGiven('invoice.customer_id = ?', filter.customer)
      .andGiven('invoice.contract_id = ?', filter.contract)
      .andGiven('invoice.status = any(?::text[])', statesShownAs(filter.status))
      .andGiven('invoice.date >= ?::timestamptz', stampOrNull(filter.after))
      .andGiven('invoice.date < ?::timestamptz', stampOrNull(filter.before)),
  };
}

export async function readInvoice(db: Queryable, vendorId: string, id: string): Promise<InvoiceRecord | null> {
  const [row] = await db.query<InvoiceRecord>(
    `select ${INVOICE_COLUMNS} from ${INVOICE_FROM} where invoice.vendor_id = $1 and invoice.id = $2`,
    [vendorId, id],
  );
  return row ?? null;
}

/** The lines of invoices, in the order in which they stand there. */
export async function linesOfInvoices(db: Queryable, invoiceIds: readonly string[]): Promise<Map<string, ChargedLine[]>> {
  const rows = await db.query<LineRow>(
    'select * from invoice_item where invoice_id = any($1::text[]) order by invoice_id, created, position, id',
    [invoiceIds],
  );
  return Map.groupBy(rows.map(toLine), (line) => line.invoiceId ?? '');
}

export interface PaymentRow {
  at: number;
  amount: string;
  method: string;
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  /** what the vendor gave with a payment recorded by hand, else the provider's own name of the charge */
  reference: string | null;
}

/** Each attempt to pay an invoice: from the wallet, by a method, or recorded by the vendor. */
export async function paymentsOfInvoice(em: EntityManager, invoiceId: string): Promise<PaymentRow[]> {
  const fromWallet = await em.find(WalletTransaction, { invoiceId, kind: 'payment' });
  const attempts = await em.find(PaymentAttempt, { invoiceId });
  // what the wallet paid is what it lost
  const byWallet = { method: 'wallet', status: 'succeeded' as const, reason: null, reference: null };
  const payments = [
    ...fromWallet.map(({ id, at, amount }) => ({ id, at, amount: amount.replace(/^-/, ''), ...byWallet })),
    ...attempts.map(({ id, created, methodId, ...attempt }) => ({ ...attempt, id, at: created, method: methodId ?? 'manual' })),
  ];
  return payments.sort((one, other) => one.at - other.at || (timePart(one.id) < timePart(other.id) ? -1 : 1));
}

/** The credit notes of an invoice, oldest first, each with what was paid back for it. */
export const creditNotesOfInvoice = (em: EntityManager, invoiceId: string): Promise<InvoiceNote[]> =>
  em.find(CreditNote, { invoiceId }, { populate: ['items', 'refunds'], orderBy: { created: 'asc', id: 'asc' } });

export type InvoiceNote = Loaded<CreditNoteRecord, 'items' | 'refunds'>;

/** Payments of an invoice that the payer has disputed at the provider. */
export const disputesOfInvoice = (em: EntityManager, invoiceId: string): Promise<InvoiceDispute[]> =>
  em.find(PaymentDispute, { attempt: { invoiceId } }, { orderBy: { opened: 'asc', reference: 'asc' } });

export type InvoiceDispute = InferEntity<typeof PaymentDispute>;
