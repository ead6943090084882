import type { CreditNoteDocument, InvoiceDocument } from '../../services/document/read.ts';
import { printCreditNote } from './credit-note.ts';
import { printInvoice } from './invoice.ts';

/** What runs in a thread of its own: it gets all that stands on a document and knows no database. */
export function printDocument(document: InvoiceDocument | CreditNoteDocument): Promise<Uint8Array> {
  return document.kind === 'invoice' ? printInvoice(document) : printCreditNote(document);
}
