import { discountList } from '../../db/sql/plan/list-discounts.ts';
import type { CatalogueDiscount } from '../../services/discount/discount.ts';
import { springDiscount } from '../example/catalogue.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { DiscountPage, DiscountSearch } from '../schema/plan.ts';
import { discountToWire } from '../wire/discount.ts';

export const listDiscountsRoute = route({
  method: 'get',
  path: '/v1/c/discount',
  operationId: 'list_discounts',
  tag: 'Catalogue',
  summary: 'List discounts',
  description: 'Oldest first; archived discounts are included unless `status` excludes them.',
  scope: 'read',
  query: DiscountSearch,
  response: { 200: DiscountPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([springDiscount]) },
  run: ({ vendor, query }, deps) =>
    listPage<CatalogueDiscount, ReturnType<typeof discountToWire>>(
      deps,
      'discount',
      vendor,
      discountList(vendor, query),
      query,
      discountToWire,
    ),
});
