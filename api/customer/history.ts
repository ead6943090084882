import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { type HistoryRow, historyList } from '../../db/sql/customer/list-history.ts';
import { exampleHistory } from '../example/customer.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CustomerHistoryPage } from '../schema/customer.ts';
import { PageQuery } from '../schema/paging.ts';

export const customerHistoryRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/history',
  operationId: 'get_customer_history',
  tag: 'Customers',
  summary: 'What was done to a customer',
  description: 'Freezes, activations, edits and what the customer did in the portal, in order, each with its notes and who did it.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: PageQuery,
  response: { 200: CustomerHistoryPage },
  errors: ['customer_not_found', 'invalid_cursor'],
  example: { response: pageOf(exampleHistory) },
  run: async ({ vendor, params, query }, deps) => {
    if ((await readCustomer(deps.db.em(), vendor, params.customer_id)) === null) throw new Problem('customer_not_found');
    return listPage(deps, `history ${params.customer_id}`, vendor, historyList(params.customer_id), query, toWire);
  },
});

const toWire = ({ at, kind, notes, object, api_key_id, person_id, caller_type, customer_id }: HistoryRow) => ({
  at: iso(at),
  action: kind,
  object,
  notes,
  actor: { type: caller_type, id: caller_type === 'portal' ? customer_id : (person_id ?? api_key_id) },
  api_key_id,
});
