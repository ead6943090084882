import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../db/connect.ts';
import { creditNoteDocument, invoiceDocument, keepHash } from '../../db/document/read.ts';
import { hasMoved } from './account.ts';
import { printCreditNote } from './credit-note.ts';
import { printInvoice } from './invoice.ts';

interface Press {
  db: Database;
  log: Logger;
}

/** An invoice's PDF; null when the vendor has no such invoice. */
export async function invoicePdf(press: Press, vendorId: string, id: string): Promise<{ bytes: Buffer; name: string } | null> {
  const document = await invoiceDocument(press.db, vendorId, id);
  if (document === null) return null;
  const bytes = await printInvoice(document);
  const name = `invoice-${document.number}.pdf`;
  if (document.state !== 'final') return { bytes, name };
  // what is kept for good is the invoice as it was made; what happened to it since comes on top
  await keep(press, id, bytes);
  return { bytes: hasMoved(document.account) ? await printInvoice(document, document.account) : bytes, name };
}

/** A credit note's PDF; null when the invoice has no such note. */
export async function creditNotePdf(
  press: Press,
  vendorId: string,
  invoiceId: string,
  id: string,
): Promise<{ bytes: Buffer; name: string } | null> {
  const document = await creditNoteDocument(press.db, vendorId, invoiceId, id);
  if (document === null) return null;
  const bytes = await printCreditNote(document);
  await keep(press, id, bytes);
  return { bytes, name: `credit-note-${document.note.number}.pdf` };
}

/** A final document printed again has the hash of its first print; another one means that our printing has changed since. */
async function keep({ db, log }: Press, id: string, bytes: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const kept = await keepHash(db, id, sha256);
  if (kept !== sha256) log.warn({ document: id, kept, printed: sha256 }, 'a document prints differently than at first');
}
