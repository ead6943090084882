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
  function* shown(): Generator<undefined, z.input<typeof InvoiceDetail>[]> {
    const all: z.input<typeof InvoiceDetail>[] = [];
    for (const invoice of invoices) {
      const { id, currency } = invoice;
      all.push({
        ...(yield* hitToWire(invoice, lines.get(id) ?? [])),
        payments: (payments.get(id) ?? []).map((payment) => paymentToWire(payment, currency)),
        credit_notes: (notes?.get(id) ?? []).map((note) => creditNoteToWire(note, currency)),
        disputes: (disputes?.get(id) ?? []).map((dispute) => disputeToWire(dispute, currency)),
      });
    }
    return all;
  }
  return inRounds(shown());
}
