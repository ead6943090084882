import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { CreditGrant, type CreditGrantRecord } from '../../db/entities/credit.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { ListedContract } from '../../db/sql/contract/list.ts';
import { type HistoryRow, historyList } from '../../db/sql/customer/list-history.ts';
import type { NamedInvoice } from '../../db/sql/invoice/named-list.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import { type WalletBalance, walletBalances } from '../../db/sql/wallet/read-balances.ts';
import { listMethods, type Method } from '../payment/method.ts';
import { type ListPart, newestContracts, newestInvoices } from './lists.ts';
import { type CustomerWatching, customerWatching } from './watching.ts';

/** What the page of a customer shows: a bounded part of each list. */
export interface CustomerView {
  customer: CustomerRecord;
  /** the customer's time */
  now: Instant;
  contracts: Newest<ListedContract>;
  invoices: Newest<NamedInvoice>;
  wallets: WalletBalance[];
  /** the newest grants, used up or not */
  grants: CreditGrantRecord[];
  methods: Method[];
  watching: CustomerWatching;
  /** what was done to the customer, newest first */
  history: Newest<HistoryRow>;
}

const ROWS: ListPart = { rows: 10 };
const MOST_ROWS = 20;
const HISTORY_ROWS = 15;

/** Everything about a customer, in a fixed number of statements; null when the vendor has no such customer. */
export async function customerView(
  db: Database,
  vendorId: string,
  customerId: string,
  after: ListPart['after'] = null,
): Promise<CustomerView | null> {
  const em = db.em();
  const customer = await readCustomer(em, vendorId, customerId);
  if (customer === null) return null;
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST_ROWS } as const;
  const now = await nowOf(db, customer.clockId);
  return {
    customer,
    now,
    contracts: await newestContracts(db, vendorId, { customer: customerId }, ROWS),
    invoices: await newestInvoices(db, vendorId, { customer: customerId }, ROWS),
    wallets: await walletBalances(db, vendorId, customerId),
    grants: await em.find(CreditGrant, { vendorId, customerId }, newest),
    methods: (await listMethods(em, vendorId, customerId, MOST_ROWS)).reverse(),
    watching: await customerWatching(db, customer, now),
    history: await readNewest<HistoryRow>(db, historyList(customerId), after, HISTORY_ROWS),
  };
}
