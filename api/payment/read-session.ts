import { z } from 'zod';
import { readSession } from '../../services/payment/session.ts';
import { pendingSession } from '../example/payment.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { PaymentSession, SessionId } from '../schema/payment.ts';
import { sessionToWire } from '../wire/payment.ts';

export const readPaymentSessionRoute = route({
  method: 'get',
  path: '/v1/c/payment/session/{token}',
  operationId: 'get_payment_session',
  tag: 'Payments',
  summary: 'Read a payment session',
  description: 'Its status and settings. Secrets for the client-side script are shown once, when the session is created.',
  scope: 'read',
  params: z.object({ token: SessionId }),
  response: { 200: PaymentSession },
  errors: ['payment_session_not_found'],
  example: { response: pendingSession },
  run: async ({ vendor, params }, { db }) => {
    const session = await readSession(db.em(), params.token, vendor);
    if (session === null) throw new Problem('payment_session_not_found');
    return sessionToWire(session);
  },
});
