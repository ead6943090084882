import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { type PortalInvoice, withStanding } from './invoice-standing.ts';
import { behind, byPlace, cutToPage, PAGE_ROWS, type Place, type PortalPage } from './place.ts';
import type { PortalVisitor } from './token.ts';

/** A credit note as its customer sees it. */
export interface PortalCreditNote {
  kind: 'credit_note';
  id: string;
  number: string;
  at: Instant;
  currency: Currency;
  total: string;
  /** number of the invoice of which it gives a part back */
  invoiceNumber: string;
}

export type PortalDocument = PortalInvoice | PortalCreditNote;

/** Which documents a list shows; credit notes stand among all. */
export type DocumentFilter = 'all' | 'open' | 'paid';

/** Drafts and voided invoices are none of the customer's. */
const STATUSES: Record<DocumentFilter, ('ready_for_payment' | 'paid')[]> = {
  all: ['ready_for_payment', 'paid'],
  open: ['ready_for_payment'],
  paid: ['paid'],
};

/** One page of a customer's documents, newest first, in a fixed number of statements. */
export async function portalDocuments(
  em: EntityManager,
  { customerId }: Pick<PortalVisitor, 'customerId'>,
  now: Instant,
  { show = 'all', after = null, rows = PAGE_ROWS }: { show?: DocumentFilter; after?: Place | null; rows?: number } = {},
): Promise<PortalPage<PortalDocument>> {
  const limit = rows + 1;
  const invoices = await em.find(
    Invoice,
    { customerId, status: { $in: STATUSES[show] }, ...behind('date', after) },
    { orderBy: { date: 'desc', id: 'desc' }, limit },
  );
  const notes =
    show === 'all'
      ? await em.find(CreditNote, { customerId, ...behind('created', after) }, { orderBy: { created: 'desc', id: 'desc' }, limit })
      : [];
  const places = [...invoices.map(({ id, date: at }) => ({ id, at })), ...notes.map(({ id, created: at }) => ({ id, at }))];
  const page = cutToPage(places.sort(byPlace), rows, (place) => place);
  const shown = new Set(page.rows.map(({ id }) => id));
  const documents = [
    ...(await withStanding(
      em,
      invoices.filter(({ id }) => shown.has(id)),
      now,
    )),
    ...(await creditNotes(
      em,
      notes.filter(({ id }) => shown.has(id)),
    )),
  ];
  return { rows: documents.sort(byPlace), next: page.next };
}

type FoundNote = Pick<PortalCreditNote, 'id' | 'number' | 'currency' | 'total'> & { created: Instant; invoiceId: string };

async function creditNotes(em: EntityManager, notes: readonly FoundNote[]): Promise<PortalCreditNote[]> {
  if (notes.length === 0) return [];
  const invoices = await em.find(Invoice, { id: { $in: notes.map(({ invoiceId }) => invoiceId) } });
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]));
  return notes.map(({ id, number, created: at, currency, total, invoiceId }) => ({
    kind: 'credit_note',
    id,
    number,
    at,
    currency,
    total,
    invoiceNumber: numbers.get(invoiceId) ?? '',
  }));
}

/** The open invoices of a customer, those due first first; `more` when there are more than that. */
export async function openInvoices(
  em: EntityManager,
  { customerId }: Pick<PortalVisitor, 'customerId'>,
  now: Instant,
  rows: number,
): Promise<{ invoices: PortalInvoice[]; more: boolean }> {
  const open = { customerId, status: 'ready_for_payment' as const, amountDue: { $gt: '0' } };
  const found = await em.find(Invoice, open, { orderBy: { dueDate: 'asc', id: 'asc' }, limit: rows + 1 });
  return { invoices: await withStanding(em, found.slice(0, rows), now), more: found.length > rows };
}

/** The invoice of which a customer's credit note gives something back; null when the customer has no such note. */
export async function invoiceOfNote(em: EntityManager, { vendorId, customerId }: PortalVisitor, id: string): Promise<string | null> {
  const note = await em.findOne(CreditNote, { id, vendorId, customerId });
  return note?.invoiceId ?? null;
}
