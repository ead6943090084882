import { statesShownAs } from '../invoice/columns.ts';
import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { customersOfPlan, customersOfPlanName, LIVE_STATUSES } from './of-plan.ts';

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
    .andGiven(`customer.id in (select c.customer_id from contract c where c.plan_id = ? and c.status in ${LIVE_STATUSES})`, filter.planId)
    .andGiven(
      `customer.id in (select c.customer_id from contract c where c.vendor_id = customer.vendor_id and c.status in ${LIVE_STATUSES}
         and c.plan_name = ?)`,
      filter.planName,
    )
    .andGiven(
      'customer.id in (select i.customer_id from invoice i where i.vendor_id = customer.vendor_id and i.status = any(?::text[]))',
      statesShownAs(filter.invoiceStatus),
    );
  if (filter.metadataKeys.length > 0) where.and('customer.metadata ??& ?::text[]', filter.metadataKeys);
  if (Object.keys(filter.metadataEntries).length > 0) where.and('customer.metadata @> ?::jsonb', JSON.stringify(filter.metadataEntries));
  return {
    from: 'customer',
    select: CUSTOMER_COLUMNS,
    at: 'customer.created',
    id: 'customer.id',
    bytes: 'octet_length(r.metadata::text) + octet_length(r.addresses::text) + coalesce(octet_length(r.notes), 0)',
    where,
    total: totalIfKept(where, { vendorId, table: 'customer', parts: onlyPart(filter.status) }) ?? totalOfPlan(where, vendorId, filter),
  };
}

/** Where a plan or its name is the only filter. */
function totalOfPlan(where: Where, vendorId: string, { planId, planName }: CustomerFilter): List['total'] {
  if (where.length !== 2) return undefined;
  if (planId !== undefined) return (db) => customersOfPlan(db, vendorId, planId);
  return planName === undefined ? undefined : (db) => customersOfPlanName(db, vendorId, planName);
}

const likePattern = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
