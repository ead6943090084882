import { summaryToWire } from '../api/wire/contract.ts';
import { customerToWire } from '../api/wire/customer.ts';
import type { Queryable } from '../db/connect.ts';
import type { CustomerRecord } from '../db/customer/customer.ts';
import { contractsOfCustomers, type ListedContract } from '../db/sql/contract/list.ts';
import type { CustomerNow, StandingReads } from '../services/contract/standing.ts';
import { isFreezeOver } from '../services/customer/freeze-over.ts';

/** Customers with their contracts as they are stored; one statement reads the contracts of all of them. */
export async function customersInFull(db: Queryable, customers: readonly CustomerRecord[]) {
  const contracts = await contractsOfCustomers(db, idsOf(customers));
  return customers.map((customer) => inFull(customer, contracts.get(customer.id) ?? []));
}

/** Customers with their contracts as they are now: where something is due and undone, it is done in memory. */
export async function customersNow(db: Queryable, standings: StandingReads, customers: readonly CustomerRecord[]) {
  const contracts = await contractsOfCustomers(db, idsOf(customers));
  const late = customers.filter((customer) => contracts.get(customer.id)?.some(({ isLate }) => isLate) || isFrozenTooLong(customer));
  const found = await standings.all(late.map(({ id: customerId }) => ({ customerId, rootId: null, contractId: null })));
  const now = new Map(found.flatMap((one) => (one === null ? [] : [[one.customer.id, one]])));
  return customers.map((customer) => {
    const own = contracts.get(customer.id) ?? [];
    const standing = now.get(customer.id);
    return standing === undefined ? inFull(customer, own) : inFull(...asOfNow(customer, own, standing));
  });
}

const idsOf = (customers: readonly CustomerRecord[]): string[] => customers.map(({ id }) => id);

/** A test clock ends a freeze itself. */
const isFrozenTooLong = ({ clockId, status, resumeAt }: CustomerRecord): boolean =>
  clockId === null && status === 'inactive' && isFreezeOver({ resumeAt, now: Date.now() });

function asOfNow(
  customer: CustomerRecord,
  contracts: readonly ListedContract[],
  { customer: { status, pauses }, contracts: standing }: CustomerNow,
): [CustomerRecord, ListedContract[]] {
  const isOver = customer.status === 'inactive' && status !== 'inactive';
  return [
    { ...customer, status, resumeAt: isOver ? null : customer.resumeAt },
    contracts.map((one) => ({ ...one, pauses, contract: standing.get(one.contract.id)?.contract ?? one.contract })),
  ];
}

const inFull = (customer: CustomerRecord, contracts: readonly ListedContract[]) =>
  customerToWire(
    customer,
    contracts.map(({ contract, customerName, pauses }) => summaryToWire(contract, { name: customerName, pauses })),
  );
