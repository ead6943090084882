import { z } from 'zod';
import { readCustomer } from '../../db/customer/read.ts';
import { customersNow } from '../../snapshots/customer.ts';
import { exampleCustomer } from '../example/customer.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { Customer } from '../schema/customer.ts';

export const readCustomerRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}',
  operationId: 'get_customer',
  tag: 'Customers',
  summary: 'Read a customer',
  description: 'With the contracts that the customer has signed, as of now, also where a timer is late.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  response: { 200: Customer },
  errors: ['customer_not_found'],
  example: { response: exampleCustomer },
  run: async ({ vendor, params }, { db, standings }) => {
    const customer = await readCustomer(db.em(), vendor, params.customer_id);
    const [body] = customer === null ? [] : await customersNow(db, standings, [customer]);
    if (body === undefined) throw new Problem('customer_not_found');
    return body;
  },
});
