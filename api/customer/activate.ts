import { z } from 'zod';
import { activateCustomer } from '../../services/customer/activate.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { NotesRequest } from '../schema/customer.ts';

export const activateCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/activate',
  operationId: 'activate_customer',
  tag: 'Customers',
  summary: 'Activate a customer',
  description:
    'Completes a registration or ends a freeze. After a freeze all future dates are later by the frozen time. Activating twice changes nothing.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: NotesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: ['customer_not_found', 'customer_erased', 'clock_advancing'],
  example: { body: { notes: 'registered' } },
  write: async ({ vendor, params, body, tx }) => {
    await activateCustomer(tx, vendor, params.customer_id, body.notes ?? null);
    return null;
  },
});
