import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { explainLine } from '../../billing/explain/explain-line.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';
import {
  creditNotesOfInvoices,
  disputesOfInvoices,
  type InvoiceDispute,
  type InvoiceNote,
  type PaymentRow,
  paymentsOfInvoices,
} from '../../db/invoice/read.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
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
  /** lines that stand on the invoice beyond those */
  furtherLines: number;
  /** of all lines, those beyond too */
  tax: string;
  payments: PaymentRow[];
  /** those that the payments were made with, by id */
  methods: ReadonlyMap<string, Method>;
  notes: InvoiceNote[];
  disputes: InvoiceDispute[];
}

const MOST_LINES = 100;
const MOST_PAYMENTS = 50;

/** An invoice with all that belongs to it; null when the vendor has no such invoice. */
export async function invoiceView(db: Database, vendorId: string, invoiceId: string): Promise<InvoiceView | null> {
  const invoice = await readInvoice(db, vendorId, invoiceId);
  if (invoice === null) return null;
  const em = db.em();
  const all = (await linesOfInvoices(db, [invoiceId])).get(invoiceId) ?? [];
  const made = (await paymentsOfInvoices(em, [invoiceId])).get(invoiceId) ?? [];
  const payments = made.slice(-MOST_PAYMENTS).reverse();
  const methods = await readMethods(em, vendorId, [...new Set(payments.map(({ method }) => method))]);
  const collection = { kind: { $in: ['payment_due', 'payment_retry'] }, subject: invoiceId };
  return {
    invoice,
    ...(await namesOf(em, invoice)),
    collectedAt: (await em.findOne(Agenda, collection))?.dueAt ?? null,
    lines: all.slice(0, MOST_LINES).map((line) => ({ line, sentences: explainLine(line).sentences })),
    furtherLines: Math.max(0, all.length - MOST_LINES),
    tax: sum(all.map(({ taxAmount }) => dec(taxAmount))).toFixed(),
    payments,
    methods: new Map(methods.map((method) => [method.id, method])),
    notes: (await creditNotesOfInvoices(em, [invoiceId])).get(invoiceId) ?? [],
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
