import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import { creditNotesOfInvoice, disputesOfInvoice, paymentsOfInvoice } from '../../db/invoice/read.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
import { Problem } from '../http/problem.ts';
import type { InvoiceDetail } from '../schema/invoice.ts';
import { creditNoteToWire, disputeToWire, hitToWire, paymentToWire } from '../wire/invoice.ts';

/** The current state of an invoice, with its items, payment attempts, credit notes and disputes. */
export async function showInvoice(db: Queryable, em: EntityManager, vendor: string, id: string): Promise<z.input<typeof InvoiceDetail>> {
  const invoice = await readInvoice(db, vendor, id);
  if (invoice === null) throw new Problem('invoice_not_found');
  const lines = await linesOfInvoices(db, [id]);
  const payments = await paymentsOfInvoice(em, id);
  const notes = await creditNotesOfInvoice(em, id);
  const disputes = await disputesOfInvoice(em, id);
  return {
    ...hitToWire(invoice, lines.get(id) ?? []),
    payments: payments.map((payment) => paymentToWire(payment, invoice.currency)),
    credit_notes: notes.map((note) => creditNoteToWire(note, invoice.currency)),
    disputes: disputes.map((dispute) => disputeToWire(dispute, invoice.currency)),
  };
}
