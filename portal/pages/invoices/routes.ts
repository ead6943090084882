import { type DocumentFilter, invoiceOfNote, portalDocuments } from '../../../services/portal/documents.ts';
import { maySeeInvoice } from '../../../services/portal/overview.ts';
import { placeFrom } from '../../../services/portal/place.ts';
import { fileOf, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { documentsContent } from './view.ts';

const INVOICE_ID = /^Inv_[0-9a-f-]{36}$/;
const NOTE_ID = /^CNote_[0-9a-f-]{36}$/;

/** The customer's documents. */
export const invoicePages = [
  onGet('/invoices', showDocuments),
  onGet('/invoice/:invoice_id', downloadInvoice),
  onGet('/credit_note/:credit_note_id', downloadNote),
];

async function showDocuments(visit: Visit): Promise<PortalResponse> {
  const { query } = visit;
  const asked = query('show');
  const show: DocumentFilter = asked === 'open' || asked === 'paid' ? asked : 'all';
  const after = placeFrom(query('after'));
  const page = await portalDocuments(visit.db.em(), visit.visitor, visit.now, { show, after });
  return showPage({ title: visit.t('documents.title'), content: documentsContent(visit, show, page, after === null) });
}

function downloadInvoice(visit: Visit): Promise<PortalResponse> {
  return download(visit, async ({ visitor, parts, db, param }) => {
    const id = param('invoice_id');
    if (!INVOICE_ID.test(id) || !(await maySeeInvoice(db.em(), visitor, id))) return null;
    return parts.print(visitor.vendorId, id);
  });
}

function downloadNote(visit: Visit): Promise<PortalResponse> {
  return download(visit, async ({ visitor, parts, db, param }) => {
    const id = param('credit_note_id');
    const invoiceId = NOTE_ID.test(id) ? await invoiceOfNote(db.em(), visitor, id) : null;
    return invoiceId === null ? null : parts.printNote(visitor.vendorId, invoiceId, id);
  });
}

/** What was asked for counts as a download whether or not there is such a document, so that ids can't be guessed. */
async function download(visit: Visit, printed: (visit: Visit) => Promise<{ bytes: Buffer; name: string } | null>): Promise<PortalResponse> {
  const { left, reset } = visit.parts.countDownload(visit.visitor.customerId);
  if (left < 0) return { kind: 'fixed', page: 'downloads', status: 429, retryAfter: reset };
  const pdf = await printed(visit);
  return pdf === null ? noSuchPage : fileOf({ ...pdf, type: 'application/pdf' });
}
