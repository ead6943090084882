import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { Customer } from '../../db/entities/customer.ts';
import { alertList, type ListedAlert } from '../../db/sql/usage/list-alerts.ts';
import { pageOf } from '../example/page.ts';
import { exampleAlert } from '../example/usage-alert.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { AlertPage } from '../schema/usage-alert.ts';

export const listAlertsRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/alert',
  operationId: 'list_usage_alerts',
  tag: 'Usage',
  summary: 'List the alerts on a customer’s usage',
  description: 'The oldest first, also those whose steps have all been announced.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: PageQuery,
  response: { 200: AlertPage },
  errors: ['customer_not_found', 'invalid_cursor'],
  example: { response: pageOf([exampleAlert]) },
  run: async ({ vendor, params, query }, deps) => {
    const known = await deps.db.em().count(Customer, { id: params.customer_id, vendorId: vendor });
    if (known === 0) throw new Problem('customer_not_found');
    const list = alertList(params.customer_id);
    return listPage<ListedAlert, ReturnType<typeof toWire>>(deps, 'usage_alert', vendor, list, query, toWire);
  },
});

const toWire = ({ id, on, slug, steps, created }: ListedAlert) => ({
  id,
  on,
  feature_slug: slug,
  at: [...steps],
  created: iso(created),
});
