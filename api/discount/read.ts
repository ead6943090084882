import { z } from 'zod';
import { readDiscount } from '../../services/discount/discount.ts';
import { springDiscount } from '../example/catalogue.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { DiscountId } from '../schema/common.ts';
import { Discount } from '../schema/plan.ts';
import { discountToWire } from '../wire/discount.ts';

export const readDiscountRoute = route({
  method: 'get',
  path: '/v1/c/discount/{discount_id}',
  operationId: 'get_discount',
  tag: 'Catalogue',
  summary: 'Read a discount',
  description: 'Its current state in the catalogue; contracts keep their own copy.',
  scope: 'read',
  params: z.object({ discount_id: DiscountId }),
  response: { 200: Discount },
  errors: ['discount_not_found'],
  example: { response: springDiscount },
  run: async ({ vendor, params }, { db }) => {
    const discount = await readDiscount(db.em(), vendor, params.discount_id);
    if (discount === null) throw new Problem('discount_not_found');
    return discountToWire(discount);
  },
});
