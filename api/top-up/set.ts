import { z } from 'zod';
import { dec } from '../../billing/money/decimal.ts';
import { setTopUp } from '../../services/credit/top-up.ts';
import { ids } from '../example/ids.ts';
import { exampleTopUpRequest } from '../example/top-up.ts';
import { invalidField } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { TopUpId, TopUpRequest } from '../schema/top-up.ts';
import { requireMoney } from '../wire/money-given.ts';

export const setTopUpRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/top_up',
  operationId: 'set_top_up',
  tag: 'Credits',
  summary: 'Have prepaid credits bought when few are left',
  description:
    'Whatever lowers the live balance: usage that is reported, an invoice that credits pay, an expiry. One purchase at a time; after a decline it ends, and the next one is tried a day later; the third decline in a row stops it, until another default method, a charge that succeeds or another setting. There is one in each currency: another one replaces it.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: TopUpRequest,
  response: { 201: TopUpId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: exampleTopUpRequest, response: ids.topUp },
  write: ({ vendor, params, body, tx }) => {
    const { currency, below, amount, at_most_per_month: atMostPerMonth } = body;
    const price = body.price ?? amount;
    for (const [field, value] of Object.entries({ below, amount, price, at_most_per_month: atMostPerMonth }))
      requireMoney({ amount: value, currency }, field);
    if (dec(price).gt(dec(atMostPerMonth))) throw invalidField('at_most_per_month', 'must be at least the price: nothing could be bought');
    return setTopUp(tx, { vendorId: vendor, customerId: params.customer_id, currency, below, amount, price, atMostPerMonth });
  },
});
