import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { Customer } from '../../db/entities/customer.ts';
import { type ListedLimit, limitList } from '../../db/sql/usage/list-limits.ts';
import { pageOf } from '../example/page.ts';
import { exampleLimit } from '../example/usage-limit.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { LimitPage } from '../schema/usage-limit.ts';

export const listLimitsRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/limit',
  operationId: 'list_usage_limits',
  tag: 'Usage',
  summary: 'List the limits on a customer’s usage',
  description: 'The oldest first.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: PageQuery,
  response: { 200: LimitPage },
  errors: ['customer_not_found', 'invalid_cursor'],
  example: { response: pageOf([exampleLimit]) },
  run: async ({ vendor, params, query }, deps) => {
    const known = await deps.db.em().count(Customer, { id: params.customer_id, vendorId: vendor });
    if (known === 0) throw new Problem('customer_not_found');
    const list = limitList(params.customer_id);
    return listPage<ListedLimit, ReturnType<typeof toWire>>(deps, 'usage_limit', vendor, list, query, toWire);
  },
});

const toWire = ({ id, slug, units, amount, window, action, created }: ListedLimit) => ({
  id,
  feature_slug: slug,
  units,
  amount,
  window,
  action,
  created: iso(created),
});
