import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { beginErasure } from '../../services/erasure/begin.ts';
import { exampleErasure } from '../example/customer.ts';
import { route } from '../http/route.ts';
import { CustomerId, Nothing } from '../schema/common.ts';
import { Erasure } from '../schema/customer.ts';

export const eraseCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/erase',
  operationId: 'erase_customer',
  tag: 'Customers',
  summary: 'Erase a customer’s personal data',
  description:
    'Names, e-mail addresses, addresses, notes, VAT id, metadata and what payment methods are called are replaced everywhere, printed documents and stored responses included; amounts, numbers, dates and the country stay. Refused while money is open: feedback names what is. The customer’s own data go at once, the rest within moments: repeat the call to see `ended`. It cannot be undone, and nothing can be written about the customer any more.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: Erasure },
  errors: ['customer_not_found', 'money_open', 'clock_advancing'],
  example: { body: {}, response: exampleErasure },
  write: async ({ vendor, params, tx }) => {
    const { customerId, began, ended } = await beginErasure(tx, vendor, params.customer_id);
    return { customer: customerId, began: iso(began), ended: ended === null ? null : iso(ended) };
  },
});
