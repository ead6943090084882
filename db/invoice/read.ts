import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Queryable } from '../connect.ts';
import type { List } from '../list/page.ts';
import { Where } from '../list/where.ts';
import { INVOICE_COLUMNS, INVOICE_FROM, type InvoiceRecord, statesShownAs } from '../mapping/invoice.ts';
import { type LineRow, toLine } from '../mapping/line.ts';
import { stampOrNull } from '../rows.ts';

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
export async function paymentsOfInvoice(db: Queryable, invoiceId: string): Promise<PaymentRow[]> {
  return db.query<PaymentRow>(
    `select at, amount, method, status, reason, reference from (
       select t.at, (-t.amount)::text as amount, 'wallet' as method, 'succeeded' as status, null as reason, null as reference, t.id
         from wallet_transaction t where t.invoice_id = $1 and t.kind = 'payment'
       union all
       select a.created, a.amount::text, coalesce(a.method_id, 'manual'), a.status, a.reason, a.reference, a.id
         from payment_attempt a where a.invoice_id = $1
     ) payments order by at, right(id, 36)`,
    [invoiceId],
  );
}

export interface CreditNoteRow {
  id: string;
  number: string;
  created: number;
  total: string;
  target: 'wallet' | 'payment';
  reduced: string;
  toWallet: string;
  toPayment: string;
  refunds: { amount: string; status: 'processing' | 'succeeded' | 'failed'; reason: string | null }[] | null;
  notes: string | null;
  items: { invoice_item_id: string; amount: string }[] | null;
}

export async function creditNotesOfInvoice(db: Queryable, invoiceId: string): Promise<CreditNoteRow[]> {
  return db.query<CreditNoteRow>(
    `select n.id, n.number::text as number, n.created, n.total, n.target, n.notes, n.reduced, n.to_wallet as "toWallet", n.to_payment as "toPayment",
       (select jsonb_agg(jsonb_build_object('amount', r.amount::text, 'status', r.status, 'reason', r.reason) order by r.id)
        from payment_refund r where r.credit_note_id = n.id) as refunds,
       (select jsonb_agg(jsonb_build_object('invoice_item_id', i.invoice_item_id, 'amount', i.amount::text) order by i.invoice_item_id)
        from credit_note_item i where i.credit_note_id = n.id) as items
     from credit_note n where n.invoice_id = $1 order by n.created, n.id`,
    [invoiceId],
  );
}

export interface DisputeRow {
  reference: string;
  amount: string;
  state: 'open' | 'won' | 'lost';
  reason: string;
  opened: number;
  closed: number | null;
}

/** Payments of an invoice that the payer has disputed at the provider. */
export async function disputesOfInvoice(db: Queryable, invoiceId: string): Promise<DisputeRow[]> {
  return db.query<DisputeRow>(
    `select d.reference, d.amount, d.state, d.reason, d.opened, d.closed
     from payment_dispute d join payment_attempt a on a.id = d.attempt_id where a.invoice_id = $1 order by d.opened, d.reference`,
    [invoiceId],
  );
}
