import { z } from 'zod';
import { lockCustomer } from '../../services/customer/lock.ts';
import { chooseDefault } from '../../services/payment/method.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { SelectionRequest, SelectionResponse } from '../schema/payment.ts';

export const selectPaymentMethodRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/payment/method_selection',
  operationId: 'select_payment_method',
  tag: 'Payments',
  summary: 'Set the default payment method',
  description:
    'Takes a method of this customer, `none`, or `manual` for payments made outside. A new method is charged at once for overdue automatic invoices.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: SelectionRequest,
  response: { 200: SelectionResponse },
  errors: [
    'customer_not_found',
    'customer_frozen',
    'customer_erased',
    'clock_advancing',
    'payment_method_not_found',
    'payment_method_state',
  ],
  example: { body: { payment_method: ids.method }, response: [ids.method] },
  write: async ({ vendor, params, body, tx }) => {
    const customer = await lockCustomer(tx, vendor, params.customer_id, { lock: 'update' });
    await chooseDefault(tx, customer, body.payment_method);
    return [body.payment_method];
  },
});
