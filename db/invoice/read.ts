import type { InferEntity, Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CreditNote, type CreditNoteRecord } from '../entities/credit-note.ts';
import { PaymentDispute } from '../entities/payment.ts';

/** The credit notes of the invoices, oldest first, each with what was paid back for it. */
export async function creditNotesOfInvoices(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, InvoiceNote[]>> {
  const notes = await em.find(
    CreditNote,
    { invoiceId: { $in: [...invoiceIds] } },
    { populate: ['items', 'refunds'], orderBy: { created: 'asc', id: 'asc' } },
  );
  return Map.groupBy(notes, ({ invoiceId }) => invoiceId);
}

/** Credit notes by id, each with what was paid back for it. */
export const creditNotesById = (em: EntityManager, vendorId: string, ids: readonly string[]): Promise<InvoiceNote[]> =>
  em.find(CreditNote, { vendorId, id: { $in: [...ids] } }, { populate: ['items', 'refunds'] });

export type InvoiceNote = Loaded<CreditNoteRecord, 'items' | 'refunds'>;

/** Payments of the invoices that the payer has disputed at the provider. */
export async function disputesOfInvoices(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, InvoiceDispute[]>> {
  const disputes = await em.find(
    PaymentDispute,
    { attempt: { invoiceId: { $in: [...invoiceIds] } } },
    { populate: ['attempt'], orderBy: { opened: 'asc', reference: 'asc' } },
  );
  return Map.groupBy(disputes, ({ attempt }) => attempt.$.invoiceId ?? '');
}

export type InvoiceDispute = Loaded<InferEntity<typeof PaymentDispute>, 'attempt'>;
