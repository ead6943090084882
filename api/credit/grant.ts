import type { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { grantCredits, USUAL_PRIORITY } from '../../services/credit/grant.ts';
import { exampleId, ids } from '../example/ids.ts';
import { invalidField } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { GrantId, GrantRequest } from '../schema/credit.ts';
import { requireMoney } from '../wire/money-given.ts';

/** The price of bought credits: what they are worth, unless another one is named. Gifts have none. */
function priceOf({ kind, price, amount, currency }: z.output<typeof GrantRequest>): string | null {
  if (kind === 'purchased') {
    requireMoney({ amount: price ?? amount, currency }, 'price');
    return price ?? amount;
  }
  if (price != null) throw invalidField('price', 'is only for kind purchased');
  return null;
}

const instant = (text: string | null | undefined) => (text == null ? null : at(text));

export const grantCreditsRoute = route({
  method: 'post',
  path: '/v1/c/credit_grant',
  operationId: 'create_credit_grant',
  tag: 'Credits',
  summary: 'Grant prepaid credits',
  description:
    'Credits pay invoices of their currency by themselves, before the wallet and the payment method: what is charged in their life. Of usage they pay what was used in it. What is open and lies in it is paid at once. Purchased ones are granted when the invoice of their `price` is paid, which belongs to no contract and bears no tax; while it is unpaid, `void` takes it back with a credit note.',
  scope: 'full',
  body: GrantRequest,
  response: { 201: GrantId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'plan_not_found', 'feature_not_found'],
  example: {
    body: {
      customer: ids.customer,
      currency: 'usd',
      amount: '50.00',
      kind: 'promotional',
      expires_at: '2027-06-01T00:00:00.000Z',
      description: 'Welcome back',
    },
    response: exampleId('Grant', 1),
  },
  write: async ({ vendor, body, tx }) => {
    requireMoney(body);
    const price = priceOf(body);
    const { customer: customerId, currency, amount, kind, priority, applies_to: only, description } = body;
    if (only?.features?.length === 0) throw invalidField('applies_to.features', 'must name a feature, or be absent');
    if (only?.plans?.length === 0) throw invalidField('applies_to.plans', 'must name a plan, or be absent');
    const bounds = { effectiveAt: instant(body.effective_at), expiresAt: instant(body.expires_at) };
    const restricted = { features: only?.features ?? null, plans: only?.plans ?? null };
    const given = { vendorId: vendor, customerId, currency, amount, price, kind, priority: priority ?? USUAL_PRIORITY };
    return grantCredits(tx, { ...given, ...bounds, ...restricted, description: description ?? null });
  },
});
