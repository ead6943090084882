import { z } from 'zod';
import { customerCredit } from '../../services/credit/read.ts';
import { exampleCredit } from '../example/credit.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CreditQuery, CustomerCredit } from '../schema/credit.ts';
import { grantToWire, useToWire } from '../wire/credit.ts';

export const readCreditRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/credit',
  operationId: 'get_customer_credit',
  tag: 'Credits',
  summary: 'Read the prepaid credits of a customer',
  description: 'What is left, settled and live, with all grants in the currency and the newest 100 uses.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: CreditQuery,
  response: { 200: CustomerCredit },
  errors: ['customer_not_found'],
  example: { response: exampleCredit },
  run: async ({ vendor, params, query }, { db }) => {
    const found = await customerCredit(db, { vendorId: vendor, customerId: params.customer_id, currency: query.currency ?? null });
    if (found === null) throw new Problem('customer_not_found');
    if (found === 'currency_needed') throw invalidField('currency', 'is required: the customer has no credits, or in several currencies');
    const { currency, settled, live, grants, uses, now } = found;
    return {
      currency,
      settled,
      live,
      grants: grants.map((one) => grantToWire(one, now)),
      uses: uses.map((use) => useToWire(use, currency)),
    };
  },
});
