import { z } from 'zod';
import { archiveDiscount } from '../../services/discount/discount.ts';
import { ids } from '../example/ids.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { DiscountId, Nothing } from '../schema/common.ts';

export const archiveDiscountRoute = route({
  method: 'post',
  path: '/v1/c/discount/{discount_id}/archive',
  operationId: 'archive_discount',
  tag: 'Catalogue',
  summary: 'Archive a discount',
  description: 'It can no longer be given; contracts that have it keep it. Archiving twice changes nothing.',
  scope: 'full',
  params: z.object({ discount_id: DiscountId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: DiscountId },
  errors: ['discount_not_found'],
  example: { body: {}, response: ids.discount },
  write: async ({ vendor, params, tx }) => {
    if (!(await archiveDiscount(tx, vendor, params.discount_id))) throw new Problem('discount_not_found');
    return params.discount_id;
  },
});
