import { z } from 'zod';
import { setLimit } from '../../services/usage-limit/set.ts';
import { ids } from '../example/ids.ts';
import { exampleLimitRequest } from '../example/usage-limit.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { LimitId, LimitRequest } from '../schema/usage-limit.ts';

export const setLimitRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/limit',
  operationId: 'set_usage_limit',
  tag: 'Usage',
  summary: 'Limit the usage of a customer',
  description:
    'Usage beyond it is a 409 `limit_reached`, whoever reports it and however many at once; with the action `tell` it passes and is announced, once in each window. Several limits hold side by side.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: LimitRequest,
  response: { 201: LimitId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'too_many_limits'],
  example: { body: exampleLimitRequest, response: ids.limit },
  write: ({ vendor, params, body, tx }) => {
    const { feature_slug: slug, units, amount, window, action } = body;
    const limit = { slug: slug ?? null, units: units ?? null, amount: amount ?? null, window, action };
    return setLimit(tx, { vendorId: vendor, customerId: params.customer_id, ...limit });
  },
});
