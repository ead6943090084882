import type { CreditNoteDocument, InvoiceDocument } from '../services/document/read.ts';
import { printCreditNote } from './credit-note.ts';
import { printInvoice } from './invoice.ts';

/** Runs in a thread without a database, so it gets all the contents of a document. */
export function printDocument(document: InvoiceDocument | CreditNoteDocument): Promise<Uint8Array> {
  return document.kind === 'invoice' ? printInvoice(document) : printCreditNote(document);
}
