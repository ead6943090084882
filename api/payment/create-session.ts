import { z } from 'zod';
import { Plan, Pricing } from '../../db/entities/catalogue.ts';
import { openSession } from '../../services/payment/open-session.ts';
import { newSession } from '../example/payment.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { Problem } from '../http/problem.ts';
import { ApiResponse, route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PaymentSession, SessionRequest } from '../schema/payment.ts';
import { sessionToWire } from '../wire/payment.ts';
import { callProvider } from './provider.ts';

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
    'customer_erased',
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
  run: async ({ vendor, asker, params, body }, deps) => {
    await requirePlanAndPricing(deps, vendor, body);
    const { session, clientSecret } = await callProvider(() =>
      openSession(deps, vendor, params.customer_id, asker, {
        ...{ provider: body.provider ?? null, address: body.address ?? false, detachPrevious: body.detach_previous_on_success ?? false },
        ...{ planId: body.plan_id ?? null, pricingId: body.pricing_id ?? null },
      }),
    );
    return new ApiResponse(200, sessionToWire(session, clientSecret), clientSecret !== null);
  },
});

type Body = z.output<typeof SessionRequest>;

async function requirePlanAndPricing({ db }: ApiDependencies, vendor: string, { plan_id, pricing_id }: Body): Promise<void> {
  const em = db.em();
  if (plan_id != null && (await em.count(Plan, { id: plan_id, vendor })) === 0) throw new Problem('plan_not_found');
  if (pricing_id != null && (await em.count(Pricing, { id: pricing_id, plan: { vendor } })) === 0) throw new Problem('pricing_not_found');
}
