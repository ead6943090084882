import { statesShownAs } from '../invoice/columns.ts';
import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { customersOfPlan, LIVE_STATUSES } from './of-plan.ts';

export const CUSTOMER_COLUMNS = `customer.id, customer.vendor_id as "vendorId", customer.created, customer.name, customer.emails, customer.addresses,
  customer.metadata, customer.status, customer.customer_reference as "customerReference", customer.notes, customer.vat_id as "vatId", customer.language,
  customer.test_clock_id as "clockId", customer.configuration, customer.resume_at as "resumeAt"`;

export interface CustomerFilter {
  id?: string | undefined;
  email?: string | undefined;
  reference?: string | undefined;
  planId?: string | undefined;
  planName?: string | undefined;
  status?: string | undefined;
  search?: string | undefined;
  invoiceStatus?: string | undefined;
  /** keys that must be there, and entries that must be equal */
  metadataKeys: string[];
  metadataEntries: Record<string, string>;
}

const ALONE = { from: 'customer', at: 'customer.created', id: 'customer.id' };
/** An index has the live contracts of a plan, and of its name, in the order of customers, so a page reads no others. */
const BY_CONTRACT = {
  from: 'contract c join customer on customer.id = c.customer_id',
  at: 'c.customer_created',
  id: 'c.customer_id',
};

/** SQL: a live contract by a column, the first of those that its customer has. */
const firstBy = (
  column: 'plan_id' | 'plan_name',
): string => `c.vendor_id = ? and c.${column} = ? and c.status in ${LIVE_STATUSES} and c.id = (
  select min(d.id) from contract d where d.vendor_id = c.vendor_id and d.${column} = c.${column} and d.status in ${LIVE_STATUSES}
    and d.customer_created = c.customer_created and d.customer_id = c.customer_id)`;

/**
 * Every filter has an index of its own; `search` looks for part of name, e-mail or reference. SQL, as all list pages
 * are: a page is read from a position on, with exact counts.
 */
export function customerList(vendorId: string, filter: CustomerFilter): List {
  const where = new Where()
    .and('customer.vendor_id = ?', vendorId)
    .andGiven('customer.id = ?', filter.id)
    .andGiven('customer.email_keys @> array[lower(?)]', filter.email)
    .andGiven('customer.customer_reference = ?', filter.reference)
    .andGiven('customer.status = ?', filter.status)
    .andGiven(`customer.search like ?`, likePattern(filter.search))
    .andGiven(
      'customer.id in (select i.customer_id from invoice i where i.vendor_id = customer.vendor_id and i.status = any(?::text[]))',
      statesShownAs(filter.invoiceStatus),
    );
  if (filter.planId !== undefined) where.and(firstBy('plan_id'), vendorId, filter.planId);
  else if (filter.planName !== undefined) where.and(firstBy('plan_name'), vendorId, filter.planName);
  if (filter.planId !== undefined && filter.planName !== undefined)
    where.and(
      `customer.id in (select o.customer_id from contract o where o.customer_id = customer.id and o.status in ${LIVE_STATUSES}
         and o.plan_name = ?)`,
      filter.planName,
    );
  if (filter.metadataKeys.length > 0) where.and('customer.metadata ??& ?::text[]', filter.metadataKeys);
  if (Object.keys(filter.metadataEntries).length > 0) where.and('customer.metadata @> ?::jsonb', JSON.stringify(filter.metadataEntries));
  return {
    ...((filter.planId ?? filter.planName) === undefined ? ALONE : BY_CONTRACT),
    select: CUSTOMER_COLUMNS,
    bytes: 'octet_length(r.metadata::text) + octet_length(r.addresses::text) + coalesce(octet_length(r.notes), 0)',
    where,
    total: totalIfKept(where, { vendorId, list: 'customer', parts: onlyPart(filter.status) }) ?? totalOfPlan(where, vendorId, filter),
  };
}

/** Where a plan or its name is the only filter. */
function totalOfPlan(where: Where, vendorId: string, { planId, planName }: CustomerFilter): List['total'] {
  if (where.length !== 2) return undefined;
  if (planId !== undefined) return (db) => customersOfPlan(db, vendorId, 'customer_of_plan', planId);
  return planName === undefined ? undefined : (db) => customersOfPlan(db, vendorId, 'customer_of_plan_name', planName);
}

const likePattern = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
