import type { Pause } from '../../../billing/calendar/pauses.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import type { Queryable } from '../../connect.ts';
import { isContractLate } from '../agenda/late.ts';
import { pausesOf, type StoredPauses, toPauses } from '../customer/pauses.ts';
import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { contractProjection } from '../projections.ts';

/** A contract with what its summary needs of the customer. */
export interface ListedContract {
  contract: Contract;
  customerName: string;
  pauses: Pause[];
}

export interface ListedContractRow {
  customerName: string;
  pauses: StoredPauses;
}

export const LISTED_CONTRACT_COLUMNS = `${contractProjection.columns('contract')}, customer.name as "customerName",
  ${pausesOf('customer.id')} as pauses`;
export const LISTED_CONTRACT_FROM = 'contract join customer on customer.id = contract.customer_id';

export const toListed = (row: ListedContractRow): ListedContract => ({
  contract: contractProjection.read(row),
  customerName: row.customerName,
  pauses: toPauses(row.pauses),
});

/**
 * The page of a vendor's contracts. SQL, as all list pages: filters, a window and the customer's name in one statement.
 */
export function contractList(
  vendorId: string,
  filter: { customer?: string | undefined; plan?: string | undefined; status?: string | undefined },
): List {
  const where = new Where()
    .and('contract.vendor_id = ?', vendorId)
    .andGiven('contract.customer_id = ?', filter.customer)
    .andGiven('contract.plan_id = ?', filter.plan)
    .andGiven('contract.status = ?', filter.status);
  return {
    from: LISTED_CONTRACT_FROM,
    counted: 'contract',
    select: LISTED_CONTRACT_COLUMNS,
    at: 'contract.created',
    id: 'contract.id',
    where,
    total: totalIfKept(where, { vendorId, ...keptParts(filter) }),
  };
}

function keptParts({ plan, status }: { plan?: string | undefined; status?: string | undefined }) {
  if (plan === undefined) return { list: 'contract', parts: onlyPart(status) } as const;
  const statuses = onlyPart(status) ?? Object.keys(contractMachine.states);
  return { list: 'contract_of_plan', parts: statuses.map((one) => `${plan} ${one}`), filters: status === undefined ? 1 : 2 } as const;
}

/** A contract as it is stored. */
export interface StoredContract extends ListedContract {
  /** something is due and undone that may change how it stands */
  isLate: boolean;
}

/** Contracts that are shown with their customer; the list of contracts has them all. */
const MOST_SHOWN = 1_000;

/** Each change leaves one more that has ended, so they are read from the end of an index: what lives stands last. */
const OF_CUSTOMERS = `select ${LISTED_CONTRACT_COLUMNS}, contract.test_clock_id is null and ${isContractLate('contract')} as "isLate"
  from ${LISTED_CONTRACT_FROM} where contract.id = any(array(
    select latest.id from unnest($1::text[]) as asked(customer_id) cross join lateral (
      select c.id from contract c where c.customer_id = asked.customer_id order by c.ended desc, c.began desc limit ${MOST_SHOWN}
    ) latest))
  order by contract.created, contract.id`;

/**
 * Contracts of some customers, in the order they were signed: of more than a thousand those that live, and then those
 * that ended last. SQL: the same columns as the list.
 */
export async function contractsOfCustomers(db: Queryable, customerIds: readonly string[]): Promise<Map<string, StoredContract[]>> {
  const rows = await db.query<ListedContractRow & { isLate: boolean }>(OF_CUSTOMERS, [customerIds]);
  const contracts = rows.map((row) => ({ ...toListed(row), isLate: row.isLate }));
  return Map.groupBy(contracts, ({ contract }) => contract.customerId);
}

/** How many contracts some customers are shown with, and the one with the most. SQL: one look at an index. */
export async function countContracts(db: Queryable, customerIds: readonly string[]): Promise<{ total: number; longest: number }> {
  const [row] = await db.query<{ total: number; longest: number }>(
    `select coalesce(sum(n), 0)::int as total, coalesce(max(n), 0)::int as longest
     from (select least(count(*), ${MOST_SHOWN}) as n from contract where customer_id = any($1::text[]) group by customer_id) c`,
    [customerIds],
  );
  return row ?? { total: 0, longest: 0 };
}
