import { z } from 'zod';
import type { SetupOutcome } from '../../billing/payment/types.ts';
import type { Provider } from '../../payments/port.ts';
import { isSandboxMethod, SANDBOX_METHOD_NAMES } from '../../payments/sandbox/methods.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { concludeByProvider } from '../../services/payment/conclude-session.ts';
import { readSession, type Session } from '../../services/payment/session.ts';
import { confirmedSession } from '../example/payment.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ConfirmRequest, PaymentSession, SessionId } from '../schema/payment.ts';
import { sessionToWire } from '../wire/payment.ts';
import { callProvider } from './provider.ts';

export const confirmPaymentSessionRoute = route({
  method: 'post',
  path: '/v1/c/payment/session/{token}/confirm',
  operationId: 'confirm_payment_session',
  tag: 'Payments',
  summary: 'Confirm a payment session',
  description:
    'Needs no key: the token is the secret. In the sandbox it names the method, and the method’s name says how charges end; `sandbox_needs_action` needs a second confirmation. For other providers, send no method: it asks the provider whether the customer has finished.',
  scope: null,
  params: z.object({ token: SessionId }),
  body: ConfirmRequest,
  bodyOptional: true,
  idempotencyOwner: async ({ token }, { db }) => (await readSession(db.em(), token))?.vendorId ?? null,
  response: { 200: PaymentSession },
  unaudited: 'a browser with the session’s token asks; the event of the new method is in the log',
  errors: [
    'payment_session_not_found',
    'payment_session_state',
    'customer_frozen',
    'customer_erased',
    'clock_advancing',
    'provider_not_configured',
    'unavailable',
  ],
  example: { body: { payment_method: 'sandbox_ok' }, response: confirmedSession },
  run: async ({ params, body }, deps) => {
    const session = await pendingSession(deps, params.token);
    const choice = body.payment_method ?? null;
    return sessionToWire(await callProvider(() => concludeByProvider(deps, session, (provider) => confirm(provider, session, choice))));
  },
});

async function pendingSession({ db }: ApiDependencies, token: string): Promise<Session> {
  const session = await readSession(db.em(), token);
  if (session === null) throw new Problem('payment_session_not_found');
  const { now } = await db.transaction((tx) => lockCustomer(tx, session.vendorId, session.customerId));
  if (session.status !== 'pending') throw new Problem('payment_session_state', `The payment session has ${session.status}.`);
  if (session.expires <= now) throw new Problem('payment_session_state', 'The payment session has expired.');
  return session;
}

function confirm(provider: Provider, session: Session, choice: string | null): Promise<SetupOutcome> {
  if (provider.confirmSetup === undefined) {
    if (choice !== null) throw invalidField('payment_method', `is collected by ${session.provider} itself`);
    return provider.readSetup(session);
  }
  if (choice === null || !isSandboxMethod(choice))
    throw invalidField('payment_method', `must be one of ${SANDBOX_METHOD_NAMES.join(', ')}`);
  return provider.confirmSetup({ reference: session.reference, choice });
}
