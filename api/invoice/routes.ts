import type { Route } from '../http/route.ts';
import { creditInvoiceRoute } from './credit-note.ts';
import { creditNotePdfRoute } from './credit-note-pdf.ts';
import { explainInvoiceRoute } from './explain.ts';
import { listInvoicesRoute } from './list.ts';
import { makeInvoiceRoute } from './make.ts';
import { payInvoiceRoute } from './pay.ts';
import { invoicePdfRoute } from './pdf.ts';
import { readInvoiceRoute } from './read.ts';
import { sendInvoiceRoute } from './send.ts';
import { validateInvoiceRoute } from './validate.ts';
import { voidInvoiceRoute } from './void.ts';

export const invoiceRoutes: readonly Route[] = [
  listInvoicesRoute,
  readInvoiceRoute,
  explainInvoiceRoute,
  validateInvoiceRoute,
  voidInvoiceRoute,
  payInvoiceRoute,
  creditInvoiceRoute,
  invoicePdfRoute,
  creditNotePdfRoute,
  makeInvoiceRoute,
  sendInvoiceRoute,
];
