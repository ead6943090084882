import { CreditNote } from '../../../db/entities/credit-note.ts';
import { invoiceView } from '../../../services/console/invoice.ts';
import type { Print } from '../../http/parts.ts';
import { type ConsoleResponse, fileOf, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { invoiceContent } from './view.ts';

/** One invoice, and the documents as they are printed. */
export const invoicePages = [
  onGet('/invoice/:id', showInvoice),
  onGet('/invoice/:id/pdf', (visit) => download(visit, printInvoice)),
  onGet('/credit_note/:id/pdf', (visit) => download(visit, printNote)),
];

async function showInvoice(visit: Visit): Promise<ConsoleResponse> {
  const { query } = visit;
  const after = query('after') || null;
  const view = await invoiceView(visit.db, visit.visitor.vendorId, visit.param('id'), after);
  if (view === null || (after !== null && view.lines.length === 0)) return noSuchPage;
  return showPage({ title: visit.t('invoice.title', { number: view.invoice.number }), content: invoiceContent(visit, view) });
}

const printInvoice = ({ parts, visitor, param }: Visit): Promise<Print | null> => parts.print(visitor.vendorId, param('id'));

async function printNote({ db, parts, visitor: { vendorId }, param }: Visit): Promise<Print | null> {
  const note = await db.em().findOne(CreditNote, { id: param('id'), vendorId });
  return note === null ? null : parts.printNote(vendorId, note.invoiceId, note.id);
}

/** What was asked for counts whether or not there is such a document. */
async function download(visit: Visit, printed: (visit: Visit) => Promise<Print | null>): Promise<ConsoleResponse> {
  const { left, reset } = visit.parts.countDownload(visit.visitor.sessionId);
  if (left < 0) return { kind: 'fixed', page: 'downloads', status: 429, retryAfter: reset };
  const print = await printed(visit);
  return print === null ? noSuchPage : fileOf(print);
}
