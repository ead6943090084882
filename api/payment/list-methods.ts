import { z } from 'zod';
import { readCustomer } from '../../db/customer/read.ts';
import { listMethods } from '../../services/payment/method.ts';
import { exampleMethod } from '../example/payment.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PaymentMethods } from '../schema/payment.ts';
import { methodToWire } from '../wire/payment.ts';

export const listPaymentMethodsRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/payment/method',
  operationId: 'list_payment_methods',
  tag: 'Payments',
  summary: 'List the payment methods of a customer',
  description: 'The latest 1,000, oldest first, without detached ones.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  response: { 200: PaymentMethods },
  errors: ['customer_not_found'],
  example: { response: [exampleMethod] },
  run: async ({ vendor, params }, { db }) => {
    const methods = await listMethods(db.em(), vendor, params.customer_id);
    if (methods.length === 0 && (await readCustomer(db.em(), vendor, params.customer_id)) === null) throw new Problem('customer_not_found');
    return methods.map(methodToWire);
  },
});
