import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { readCustomer, readHistory } from '../../db/customer/read.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CustomerHistory } from '../schema/customer.ts';

export const customerHistory = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/history',
  operationId: 'get_customer_history',
  tag: 'Customers',
  summary: 'What was done to a customer',
  description: 'Freezes, activations and edits, in order, with the notes given and the key they came with.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  answer: { 200: CustomerHistory },
  errors: ['customer_not_found'],
  example: {},
  run: async ({ vendor, params }, { db }) => {
    if ((await readCustomer(db, vendor, params.customer_id)) === null) throw new Problem('customer_not_found');
    const entries = await readHistory(db, params.customer_id);
    return entries.map(({ at, kind, notes, key_id }) => ({ at: iso(at), action: kind, notes, api_key_id: key_id }));
  },
});
