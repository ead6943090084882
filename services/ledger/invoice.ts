import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { bookNewInvoices, bookStoredInvoices, type NewBooking } from '../../db/sql/ledger/book-invoices.ts';

/** Books validated invoices; drafts that still await their validation aren't booked. A second run writes nothing. */
export async function bookInvoices(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await bookStoredInvoices(
    tx,
    invoiceIds.map((invoiceId) => ({ invoiceId, transactionId: newId('Txn') })),
  );
}

/** Books invoices that the same transaction is about to write, valid from their beginning. */
export async function bookNew(tx: Queryable, invoices: readonly Omit<NewBooking, 'transactionId'>[]): Promise<void> {
  if (invoices.length === 0) return;
  await bookNewInvoices(
    tx,
    invoices.map((invoice) => ({ ...invoice, transactionId: newId('Txn') })),
  );
}
