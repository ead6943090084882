import type { InferEntity, Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
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
