import { z } from 'zod';
import type { Caller, Tx } from '../../db/connect.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { Plan, Pricing } from '../../db/entities/catalogue.ts';
import { newId } from '../../db/id.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { concludeSelfHandled, customerReferenceOf, insertSession, type NewSession, readSession } from '../../services/payment/session.ts';
import { newSession } from '../example/payment.ts';
import { callerOf } from '../http/caller.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { Problem } from '../http/problem.ts';
import { ApiResponse, route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PaymentSession, SessionRequest } from '../schema/payment.ts';
import { sessionToWire } from '../wire/payment.ts';
import { callProvider, providerOf } from './provider.ts';

export const createPaymentSessionRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/payment/session',
  operationId: 'create_payment_session',
  tag: 'Payments',
  summary: 'Create a payment session',
  description:
    'Lets a client-side script collect a payment method within 24 hours. The first method of a customer becomes the default, and so does a method that replaces the previous one.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: SessionRequest,
  bodyOptional: true,
  response: { 200: PaymentSession },
  errors: [
    'customer_not_found',
    'customer_frozen',
    'clock_advancing',
    'plan_not_found',
    'pricing_not_found',
    'provider_not_configured',
    'unavailable',
  ],
  example: {
    body: { operation: 'add_method', provider: 'cardproc', address: false, detach_previous_on_success: false },
    response: newSession,
  },
  secret: true,
  run: async ({ vendor, apiKeyId, params, body }, deps) => {
    const { providers } = deps.payments;
    const name = providers.servedBy(body.provider ?? providers.usual);
    const provider = providerOf(providers, name);
    const { customer, customerReference } = await readCustomerForSetup(deps, vendor, params.customer_id, name, body);
    const token = newId('PSess');
    const address = body.address ?? false;
    const setup = await callProvider(() =>
      provider.createSetup({
        ...{ token, customerId: customer.id, customerName: customer.name, address, customerReference },
        email: Object.values(customer.emails)[0] ?? null,
      }),
    );
    const { clientSecret, ...setupFields } = setup;
    const session = {
      ...{ token, vendorId: vendor, customerId: customer.id, clockId: customer.clockId, provider: name, address, ...setupFields },
      ...{ detachPrevious: body.detach_previous_on_success ?? false, planId: body.plan_id ?? null, pricingId: body.pricing_id ?? null },
    };
    await storeSession(deps, callerOf({ apiKeyId }), session);
    const stored = await readSession(deps.db.em(), token);
    if (stored === null) throw new Problem('payment_session_not_found');
    return new ApiResponse(200, sessionToWire(stored, clientSecret), clientSecret !== null);
  },
});

type Body = z.output<typeof SessionRequest>;

/** Checked before the provider is asked; the customer is locked again when the session is written. */
async function readCustomerForSetup(deps: ApiDependencies, vendor: string, customerId: string, name: NewSession['provider'], body: Body) {
  await deps.db.transaction((tx) => lockCustomer(tx, vendor, customerId));
  const customer = await readCustomer(deps.db.em(), vendor, customerId);
  if (customer === null) throw new Problem('customer_not_found');
  await requirePlanAndPricing(deps, vendor, body);
  return { customer, customerReference: await customerReferenceOf(deps.db.em(), customerId, name) };
}

async function requirePlanAndPricing({ db }: ApiDependencies, vendor: string, { plan_id, pricing_id }: Body): Promise<void> {
  const em = db.em();
  if (plan_id != null && (await em.count(Plan, { id: plan_id, vendor })) === 0) throw new Problem('plan_not_found');
  if (pricing_id != null && (await em.count(Pricing, { id: pricing_id, plan: { vendor } })) === 0) throw new Problem('pricing_not_found');
}

function storeSession({ db }: ApiDependencies, caller: Caller, session: Omit<NewSession, 'created'>): Promise<void> {
  const store = async (tx: Tx) => {
    const { now } = await lockCustomer(tx, session.vendorId, session.customerId, { lock: 'update' });
    await insertSession(tx, { ...session, created: now });
    if (session.provider === 'self_handled') await concludeSelfHandled(tx, session.token);
  };
  return db.transaction(store, { caller });
}
