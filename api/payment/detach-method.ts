import { z } from 'zod';
import { lockCustomer } from '../../services/customer/lock.ts';
import { readMethod, requestDetach } from '../../services/payment/method.ts';
import { detachedMethod } from '../example/payment.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId, Nothing, PaymentMethodId } from '../schema/common.ts';
import { PaymentMethod } from '../schema/payment.ts';
import { methodToWire } from '../wire/payment.ts';

export const detachPaymentMethodRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/payment/method/{method_id}/detach',
  operationId: 'detach_payment_method',
  tag: 'Payments',
  summary: 'Detach a payment method',
  description: 'It is never charged again. If it was the default method, nothing is charged automatically any more.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId, method_id: PaymentMethodId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: PaymentMethod },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'payment_method_not_found'],
  example: { body: {}, response: detachedMethod },
  write: async ({ vendor, params, tx }) => {
    await lockCustomer(tx, vendor, params.customer_id, { lock: 'update' });
    await requestDetach(tx, vendor, params.customer_id, params.method_id);
    const method = await readMethod(tx.em, vendor, params.customer_id, params.method_id);
    if (method === null) throw new Problem('payment_method_not_found');
    return methodToWire(method);
  },
});
