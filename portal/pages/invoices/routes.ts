import { maySeeInvoice } from '../../../services/portal/overview.ts';
import { fileOf, noSuchPage, type PortalResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';

const INVOICE_ID = /^Inv_[0-9a-f-]{36}$/;

/** The customer's documents. */
export const invoicePages = [onGet('/invoice/:invoice_id', download)];

async function download({ visitor, parts, db, param }: Visit): Promise<PortalResponse> {
  const invoiceId = param('invoice_id');
  const { left, reset } = parts.countDownload(visitor.customerId);
  if (left < 0) return { kind: 'fixed', page: 'downloads', status: 429, retryAfter: reset };
  if (!INVOICE_ID.test(invoiceId) || !(await maySeeInvoice(db.em(), visitor, invoiceId))) return noSuchPage;
  const pdf = await parts.print(visitor.vendorId, invoiceId);
  return pdf === null ? noSuchPage : fileOf({ ...pdf, type: 'application/pdf' });
}
