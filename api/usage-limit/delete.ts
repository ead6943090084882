import { z } from 'zod';
import { deleteLimit } from '../../services/usage-limit/set.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { CustomerId, Nothing } from '../schema/common.ts';
import { LimitId } from '../schema/usage-limit.ts';

export const deleteLimitRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/limit/{limit_id}/delete',
  operationId: 'delete_usage_limit',
  tag: 'Usage',
  summary: 'Delete a limit on a customer’s usage',
  description: 'It holds for no event that is reported after the response.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId, limit_id: LimitId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: LimitId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'limit_not_found'],
  example: { body: {}, response: ids.limit },
  write: async ({ vendor, params, tx }) => {
    await deleteLimit(tx, vendor, params.customer_id, params.limit_id);
    return params.limit_id;
  },
});
