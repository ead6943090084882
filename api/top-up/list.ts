import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Customer } from '../../db/entities/customer.ts';
import { type ListedTopUp, topUpList } from '../../db/sql/credit/top-up-list.ts';
import { pageOf } from '../example/page.ts';
import { exampleTopUp } from '../example/top-up.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { TopUpPage } from '../schema/top-up.ts';

export const listTopUpsRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/top_up',
  operationId: 'list_top_ups',
  tag: 'Credits',
  summary: 'List the top-ups of a customer',
  description: 'At most one in each currency, the oldest first.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: PageQuery,
  response: { 200: TopUpPage },
  errors: ['customer_not_found', 'invalid_cursor'],
  example: { response: pageOf([exampleTopUp]) },
  run: async ({ vendor, params, query }, deps) => {
    const known = await deps.db.em().count(Customer, { id: params.customer_id, vendorId: vendor });
    if (known === 0) throw new Problem('customer_not_found');
    const list = topUpList(params.customer_id);
    return listPage<ListedTopUp, ReturnType<typeof toWire>>(deps, 'credit_top_up', vendor, list, query, toWire);
  },
});

const toWire = ({ id, currency, below, amount, price, atMostPerMonth, pausedUntil, stoppedAt, created }: ListedTopUp) => ({
  id,
  currency,
  below: moneyText(below, currency),
  amount: moneyText(amount, currency),
  price: moneyText(price, currency),
  at_most_per_month: moneyText(atMostPerMonth, currency),
  paused_until: pausedUntil === null ? null : iso(pausedUntil),
  status: stoppedAt === null ? ('active' as const) : ('stopped' as const),
  stopped_reason: stoppedAt === null ? null : ('payment_declined' as const),
  stopped_at: stoppedAt === null ? null : iso(stoppedAt),
  created: iso(created),
});
