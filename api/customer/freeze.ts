import { z } from 'zod';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { NotesRequest } from '../schema/customer.ts';

export const freezeCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/inactivate',
  operationId: 'freeze_customer',
  tag: 'Customers',
  summary: 'Freeze a customer',
  description: 'Every contract pauses and all data become read-only until the customer is activated. Freezing twice changes nothing.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: NotesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: ['customer_not_found', 'clock_advancing'],
  example: { body: { notes: 'asked for a break' } },
  write: async ({ vendor, params, body, tx }) => {
    await freezeCustomer(tx, vendor, params.customer_id, body.notes ?? null);
    return null;
  },
});
