import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { InvoiceDetail } from '../api/schema/invoice.ts';
import { creditNoteToWire, disputeToWire, hitToWire, paymentToWire } from '../api/wire/invoice.ts';
import type { Queryable } from '../db/connect.ts';
import { creditNotesOfInvoices, disputesOfInvoices } from '../db/invoice/read.ts';
import type { InvoiceRecord } from '../db/sql/invoice/columns.ts';
import { hasNotesOrDisputes } from '../db/sql/invoice/has-notes-or-disputes.ts';
import { linesOfInvoices } from '../db/sql/invoice/read-lines.ts';
import { paymentsOfInvoices } from '../db/sql/payment/of-invoices.ts';
import { inRounds } from '../services/contract/in-rounds.ts';

/** Invoices with their items, payment attempts, credit notes and disputes, in the given order. */
export async function invoicesInFull(
  db: Queryable,
  em: EntityManager,
  invoices: readonly InvoiceRecord[],
): Promise<z.input<typeof InvoiceDetail>[]> {
  const ids = invoices.map(({ id }) => id);
  const lines = await linesOfInvoices(db, ids);
  const payments = await paymentsOfInvoices(db, ids);
  const { hasNotes, hasDisputes } = await hasNotesOrDisputes(db, ids);
  const notes = hasNotes ? await creditNotesOfInvoices(em, ids) : null;
  const disputes = hasDisputes ? await disputesOfInvoices(em, ids) : null;
  const shown = invoices.map(async (invoice) => ({
    ...(await inRounds(hitToWire(invoice, lines.get(invoice.id) ?? []))),
    payments: (payments.get(invoice.id) ?? []).map((payment) => paymentToWire(payment, invoice.currency)),
    credit_notes: (notes?.get(invoice.id) ?? []).map((note) => creditNoteToWire(note, invoice.currency)),
    disputes: (disputes?.get(invoice.id) ?? []).map((dispute) => disputeToWire(dispute, invoice.currency)),
  }));
  return Promise.all(shown);
}
