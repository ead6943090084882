import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { explainLine } from '../../billing/explain/explain-line.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { CreditNote, type CreditNoteRecord } from '../../db/entities/credit-note.ts';
import { Customer } from '../../db/entities/customer.ts';
import { disputesOfInvoices, type InvoiceDispute } from '../../db/invoice/read.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { pageOfLines } from '../../db/sql/invoice/page-lines.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { sumsOfLines } from '../../db/sql/invoice/sum-lines.ts';
import { type PaymentRow, paymentsOfInvoices } from '../../db/sql/payment/of-invoices.ts';
import { type Method, readMethods } from '../payment/method.ts';

/** What the page of an invoice shows. */
export interface InvoiceView {
  invoice: InvoiceRecord;
  customerName: string;
  /** null: the invoice belongs to no contract */
  planName: string | null;
  /** when it is collected, or tried again, by itself; null when it isn't */
  collectedAt: Instant | null;
  /** each with the sentences that say how its amount came about */
  lines: { line: ChargedLine; sentences: string[] }[];
  /** the line behind which the next ones stand; null: there are none */
  nextLine: string | null;
  /** what all lines of the invoice come to, those of other pages too */
  sums: { count: number; tax: string };
  payments: PaymentRow[];
  /** those that the payments were made with, by id */
  methods: ReadonlyMap<string, Method>;
  /** what the prepaid credits that paid are called, by id; null: they have no name of their own */
  grants: ReadonlyMap<string, string | null>;
  /** oldest first */
  notes: CreditNoteRecord[];
  disputes: InvoiceDispute[];
}

const MOST_LINES = 100;
const MOST_PAYMENTS = 50;
const MOST_NOTES = 50;

/**
 * An invoice with all that belongs to it, and a page of its lines; null when the vendor has no such invoice.
 *
 * @param after id of the line behind which the page begins; null for the first page
 */
export async function invoiceView(
  db: Database,
  vendorId: string,
  invoiceId: string,
  after: string | null = null,
): Promise<InvoiceView | null> {
  const invoice = await readInvoice(db, vendorId, invoiceId);
  if (invoice === null) return null;
  const em = db.em();
  const page = await pageOfLines(db, invoiceId, after, MOST_LINES);
  const made = (await paymentsOfInvoices(db, [invoiceId])).get(invoiceId) ?? [];
  const payments = made.slice(-MOST_PAYMENTS).reverse();
  const paidWith = [...new Set(payments.map(({ method }) => method))];
  const methods = await readMethods(em, vendorId, paidWith);
  const grants = await em.find(CreditGrant, { vendorId, id: { $in: paidWith } }, { fields: ['description'] });
  const collection = { kind: { $in: ['payment_due', 'payment_retry'] }, subject: invoiceId };
  return {
    invoice,
    ...(await namesOf(em, invoice)),
    collectedAt: (await em.findOne(Agenda, collection))?.dueAt ?? null,
    lines: page.lines.map((line) => ({ line, sentences: explainLine(line).sentences })),
    nextLine: page.next,
    sums: await sumsOfLines(db, invoiceId),
    payments,
    methods: new Map(methods.map((method) => [method.id, method])),
    grants: new Map(grants.map(({ id, description }) => [id, description])),
    notes: await em.find(CreditNote, { invoiceId }, { orderBy: { created: 'asc', id: 'asc' }, limit: MOST_NOTES }),
    disputes: (await disputesOfInvoices(em, [invoiceId])).get(invoiceId) ?? [],
  };
}

async function namesOf(
  em: EntityManager,
  { customerId, contractId }: InvoiceRecord,
): Promise<Pick<InvoiceView, 'customerName' | 'planName'>> {
  const { name } = await em.findOneOrFail(Customer, { id: customerId }, { fields: ['name'] });
  const contract = contractId === null ? null : await em.findOne(ContractRecord, { id: contractId }, { fields: ['planName'] });
  return { customerName: name, planName: contract?.planName ?? null };
}
