import { z } from 'zod';
import { deleteTopUp } from '../../services/credit/top-up.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { CustomerId, Nothing } from '../schema/common.ts';
import { TopUpId } from '../schema/top-up.ts';

export const deleteTopUpRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/top_up/{top_up_id}/delete',
  operationId: 'delete_top_up',
  tag: 'Credits',
  summary: 'Delete a top-up of a customer',
  description: 'What it has bought stays; a purchase that awaits its payment goes on.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId, top_up_id: TopUpId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: TopUpId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'top_up_not_found'],
  example: { body: {}, response: ids.topUp },
  write: async ({ vendor, params, tx }) => {
    await deleteTopUp(tx, vendor, params.customer_id, params.top_up_id);
    return params.top_up_id;
  },
});
