import { z } from 'zod';
import { readCustomer } from '../../db/customer/read.ts';
import { readMethod } from '../../services/payment/method.ts';
import { exampleMethod } from '../example/payment.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId, PaymentMethodId } from '../schema/common.ts';
import { PaymentMethod } from '../schema/payment.ts';
import { methodToWire } from '../wire/payment.ts';

export const readPaymentMethodRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/payment/method/{method_id}',
  operationId: 'get_payment_method',
  tag: 'Payments',
  summary: 'Read a payment method',
  description: 'Detached methods can be read too, although the list leaves them out.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId, method_id: PaymentMethodId }),
  response: { 200: PaymentMethod },
  errors: ['customer_not_found', 'payment_method_not_found'],
  example: { response: exampleMethod },
  run: async ({ vendor, params }, { db }) => {
    const method = await readMethod(db.em(), vendor, params.customer_id, params.method_id);
    if (method !== null) return methodToWire(method);
    if ((await readCustomer(db.em(), vendor, params.customer_id)) === null) throw new Problem('customer_not_found');
    throw new Problem('payment_method_not_found');
  },
});
