import { dec } from '../billing/money/decimal.ts';
import type { InvoiceDocument } from '../services/document/read.ts';
import { GREEN, GREY, INK, MARGIN, type PdfPage } from './page.ts';
import { longDate, totalText } from './text.ts';

/** What a document says about itself at its top: a word, and a sentence with more. */
export interface Status {
  word: string;
  more: string | null;
  colour: string;
}

/** Whether an invoice is paid, or how much is due by when. */
export function statusOf(invoice: InvoiceDocument): Status {
  const { state, account, currency, total, dueDate } = invoice;
  if (state === 'void') return { word: 'VOID', more: 'Nothing is to be paid.', colour: GREY };
  if (state === 'draft') return { word: 'DRAFT', more: `${totalText(total, currency)}, not to be paid yet`, colour: GREY };
  if (dec(account.amountDue).isZero()) return paidStatus(invoice);
  const ofTotal = dec(account.amountDue).eq(total) ? '' : `, of ${totalText(total, currency)} in all`;
  return { word: `Amount due ${totalText(account.amountDue, currency)}`, more: `by ${longDate(dueDate)}${ofTotal}`, colour: INK };
}

function paidStatus({ account: { receipts, notes }, currency, total }: InvoiceDocument): Status {
  const last = receipts.at(-1);
  const paid = notes.length === 0 ? `${totalText(total, currency)} ` : '';
  if (last !== undefined) return { word: 'PAID', more: `${paid}on ${longDate(last.at)}`, colour: GREEN };
  if (notes.length > 0) return { word: 'CREDITED', more: 'Nothing is left to pay.', colour: GREEN };
  return { word: 'NOTHING TO PAY', more: null, colour: GREEN };
}

const HEIGHT = 42;

/** Prints the status at the top of a document, where everybody sees it. */
export function printStatus(page: PdfPage, { word, more, colour }: Status): void {
  const top = page.y;
  page.band(HEIGHT, colour);
  page.y = top + (more === null ? 13 : 8);
  page.write('bold', 13, colour);
  page.y += page.textAt(word, MARGIN + 14, page.width - 28);
  if (more !== null) {
    page.write('regular', 8.5, GREY);
    page.textAt(more, MARGIN + 14, page.width - 28);
  }
  page.y = top + HEIGHT + 18;
}
