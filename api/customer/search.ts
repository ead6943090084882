import type { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { countContracts } from '../../db/sql/contract/list.ts';
import { customerList } from '../../db/sql/customer/list.ts';
import { customersNow } from '../../snapshots/customer.ts';
import { exampleCustomer } from '../example/customer.ts';
import { pageOf } from '../example/page.ts';
import { fittingPage, howManyFit } from '../http/fitting.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { CustomerPage, CustomerSearch } from '../schema/customer.ts';

export const searchCustomersRoute = route({
  method: 'get',
  path: '/v1/c/customer',
  operationId: 'search_customers',
  tag: 'Customers',
  summary: 'Search customers',
  description: 'Give at least one parameter; `limit` and `direction` count too. A customer must match all of them.',
  scope: 'read',
  query: CustomerSearch,
  response: { 200: CustomerPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([exampleCustomer]) },
  run: async ({ vendor, query }, deps) => {
    const list = customerList(vendor, filterOf(query));
    const read = (limit = query.limit) =>
      listPage<CustomerRecord, CustomerRecord>(deps, 'customer', vendor, list, { ...query, limit }, (customer) => customer);
    const page = await fittingPage(read, (customers) => fitting(deps.db, customers));
    return { ...page, hits: await customersNow(deps.db, deps.standings, page.hits) };
  },
});

/** The most contracts on a page: computing what they cost holds up all other requests. */
const PAGE_CONTRACTS = 2_000;

/** How many of these customers fit on a page with all their contracts, at least one. */
async function fitting(db: Queryable, customers: readonly CustomerRecord[]): Promise<number> {
  if (customers.length < 2) return customers.length;
  const contracts = await countContracts(
    db,
    customers.map(({ id }) => id),
  );
  return howManyFit(customers.length, contracts, PAGE_CONTRACTS);
}

const IS_INDEX = /^\d+$/;

/** `metadata[0]=key` asks for a key, `metadata[key]=value` for an equal entry. */
function filterOf(query: z.output<typeof CustomerSearch>) {
  const entries = Object.entries(query.metadata ?? {});
  return {
    id: query.id,
    email: query.email,
    reference: query.customer_reference,
    planId: query.plan,
    planName: query.contract_plan_name,
    status: query.status,
    search: query.search,
    invoiceStatus: query.payment_status,
    metadataKeys: entries.filter(([key]) => IS_INDEX.test(key)).map(([, wanted]) => wanted),
    metadataEntries: Object.fromEntries(entries.filter(([key]) => !IS_INDEX.test(key))),
  };
}
