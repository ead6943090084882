import type { Route } from '../http/route.ts';
import { getChangeRoute } from './get-change.ts';
import { getEmailRoute } from './get-email.ts';
import { getInvoicingRoute } from './get-invoicing.ts';
import { getPauseRoute } from './get-pause.ts';
import { getPaymentRoute } from './get-payment.ts';
import { getPortalRoute } from './get-portal.ts';
import { getTaxRoute } from './get-tax.ts';
import { setChangeRoute } from './set-change.ts';
import { setEmailRoute } from './set-email.ts';
import { setInvoicingRoute } from './set-invoicing.ts';
import { setPauseRoute } from './set-pause.ts';
import { setPaymentRoute } from './set-payment.ts';
import { setPortalRoute } from './set-portal.ts';
import { setTaxRoute } from './set-tax.ts';

export const preferencesRoutes: readonly Route[] = [
  setInvoicingRoute,
  getInvoicingRoute,
  setChangeRoute,
  getChangeRoute,
  setPauseRoute,
  getPauseRoute,
  setPaymentRoute,
  getPaymentRoute,
  setPortalRoute,
  getPortalRoute,
  setEmailRoute,
  getEmailRoute,
  setTaxRoute,
  getTaxRoute,
];
