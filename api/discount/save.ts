import { checkDiscount } from '../../billing/contract/terms/check-discount.ts';
import { BillingError } from '../../billing/problem.ts';
import { lockDiscount, saveDiscount } from '../../services/discount/discount.ts';
import { exampleDiscountRequest } from '../example/catalogue.ts';
import { ids } from '../example/ids.ts';
import { Problem } from '../http/problem.ts';
import { route, savedAs } from '../http/route.ts';
import { DiscountId } from '../schema/common.ts';
import { DiscountRequest } from '../schema/plan.ts';
import { discountFromWire } from '../wire/discount.ts';

export const saveDiscountRoute = route({
  method: 'post',
  path: '/v1/c/discount',
  operationId: 'save_discount',
  tag: 'Catalogue',
  summary: 'Create or update a discount',
  description: 'Without `id` a discount is created; with one it is changed and absent fields stay. Contracts keep their own copy.',
  scope: 'full',
  body: DiscountRequest,
  response: { 201: DiscountId, 200: DiscountId },
  errors: ['discount_not_found', 'slug_taken'],
  example: { body: exampleDiscountRequest, response: ids.discount },
  write: async ({ vendor, body, tx }) => {
    const existing = body.id ? await lockDiscount(tx, vendor, body.id) : null;
    if (body.id && existing === null) throw new Problem('discount_not_found');
    const discount = discountFromWire(body, existing, Date.now());
    const problems = checkDiscount(discount);
    if (problems.length > 0) throw new BillingError(problems);
    await saveDiscount(tx, vendor, discount);
    return savedAs(discount.id, existing === null);
  },
});
