import type { Route } from '../http/route.ts';
import { confirmPaymentSessionRoute } from './confirm-session.ts';
import { createPaymentSessionRoute } from './create-session.ts';
import { detachPaymentMethodRoute } from './detach-method.ts';
import { listPaymentMethodsRoute } from './list-methods.ts';
import { readPaymentMethodRoute } from './read-method.ts';
import { readPaymentSessionRoute } from './read-session.ts';
import { selectPaymentMethodRoute } from './select-method.ts';

export const paymentRoutes: readonly Route[] = [
  createPaymentSessionRoute,
  readPaymentSessionRoute,
  confirmPaymentSessionRoute,
  listPaymentMethodsRoute,
  readPaymentMethodRoute,
  detachPaymentMethodRoute,
  selectPaymentMethodRoute,
];
