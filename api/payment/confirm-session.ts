import { z } from 'zod';
import { isSandboxMethod, SANDBOX_METHOD_NAMES } from '../../payments/sandbox/methods.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { concludeSession, readSession, type Session } from '../../services/payment/session.ts';
import { confirmedSession } from '../example/payment.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ConfirmRequest, PaymentSession, SessionId } from '../schema/payment.ts';
import { sessionToWire } from '../wire/payment.ts';
import { callProvider, providerOf } from './provider.ts';

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
  response: { 200: PaymentSession },
  errors: [
    'payment_session_not_found',
    'payment_session_state',
    'customer_frozen',
    'clock_advancing',
    'provider_not_configured',
    'unavailable',
  ],
  example: { body: { payment_method: 'sandbox_ok' }, response: confirmedSession },
  run: async ({ params, body }, deps) => {
    const session = await pendingSession(deps, params.token);
    const outcome = await callProvider(() => confirmAtProvider(deps, session, body.payment_method ?? null));
    await deps.db.transaction(async (tx) => {
      await lockCustomer(tx, session.vendorId, session.customerId, { lock: 'update' });
      await concludeSession(tx, session.token, outcome);
    });
    const concluded = await readSession(deps.db.em(), session.token);
    if (concluded === null) throw new Problem('payment_session_not_found');
    return sessionToWire(concluded);
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

function confirmAtProvider({ payments }: ApiDependencies, session: Session, choice: string | null) {
  const provider = providerOf(payments.providers, session.provider);
  if (provider.confirmSetup === undefined) {
    if (choice !== null) throw invalidField('payment_method', `is collected by ${session.provider} itself`);
    return provider.readSetup(session);
  }
  if (choice === null || !isSandboxMethod(choice))
    throw invalidField('payment_method', `must be one of ${SANDBOX_METHOD_NAMES.join(', ')}`);
  return provider.confirmSetup({ reference: session.reference, choice });
}
