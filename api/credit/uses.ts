import { z } from 'zod';
import type { Currency } from '../../billing/money/currency.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { type ListedUse, useList } from '../../db/sql/credit/list.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CreditUsePage, CreditUseSearch } from '../schema/credit.ts';
import { useToWire } from '../wire/credit.ts';

export const listCreditUsesRoute = route({
  method: 'get',
  path: '/v1/c/customer/{customer_id}/credit/use',
  operationId: 'list_credit_uses',
  tag: 'Credits',
  summary: 'List what prepaid credits of a customer have paid',
  description: 'Oldest first; what a credit note gave back is a negative use.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: CreditUseSearch,
  response: { 200: CreditUsePage },
  errors: ['customer_not_found', 'invalid_cursor'],
  example: { response: pageOf([]) },
  run: async ({ vendor, params, query }, deps) => {
    if ((await readCustomer(deps.db.em(), vendor, params.customer_id)) === null) throw new Problem('customer_not_found');
    return listPage<ListedUse, ReturnType<typeof useToWire>>(
      deps,
      'credit_use',
      vendor,
      useList(vendor, params.customer_id, query),
      query,
      (row) => useToWire({ grantId: row.grant_id, invoiceId: row.invoice_id, amount: row.amount, at: row.at }, row.currency as Currency),
    );
  },
});
