import type { InferEntity, Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CreditMovement } from '../entities/credit.ts';
import { CreditNote, type CreditNoteRecord } from '../entities/credit-note.ts';
import { PaymentAttempt, PaymentDispute } from '../entities/payment.ts';
import { WalletTransaction } from '../entities/wallet.ts';
import { timePart } from '../id.ts';

export interface PaymentRow {
  at: number;
  amount: string;
  method: string;
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  /** what the vendor gave with a payment recorded by hand, else the provider's own name of the charge */
  reference: string | null;
}

/**
 * Each attempt to pay each of the invoices: by prepaid credits, from the wallet, by a method, or recorded by the
 * vendor.
 */
export async function paymentsOfInvoices(em: EntityManager, invoiceIds: readonly string[]): Promise<Map<string, PaymentRow[]>> {
  const ofThese = { invoiceId: { $in: [...invoiceIds] } };
  const fromWallet = await em.find(WalletTransaction, { ...ofThese, kind: 'payment' });
  const credits = await em.find(CreditMovement, { ...ofThese, kind: 'used' });
  const attempts = await em.find(PaymentAttempt, ofThese);
  // what the wallet paid is what it lost
  const byWallet = { method: 'wallet', status: 'succeeded' as const, reason: null, reference: null };
  const payments = [
    ...credits.map(({ id, invoiceId, at, amount, grant }) => ({
      id,
      invoiceId,
      at,
      amount: amount.replace(/^-/, ''),
      ...byWallet,
      method: grant.id,
    })),
    ...fromWallet.map(({ id, invoiceId, at, amount }) => ({ id, invoiceId, at, amount: amount.replace(/^-/, ''), ...byWallet })),
    ...attempts.map(({ id, created, methodId, ...attempt }) => ({ ...attempt, id, at: created, method: methodId ?? 'manual' })),
  ];
  return Map.groupBy(
    payments.sort((one, other) => one.at - other.at || (timePart(one.id) < timePart(other.id) ? -1 : 1)),
    ({ invoiceId }) => invoiceId ?? '',
  );
}

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
