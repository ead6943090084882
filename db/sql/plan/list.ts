import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { PLAN_COLUMNS } from './columns.ts';

/** The plans of a vendor. SQL, as all list pages are. */
export function planList(vendorId: string, filter: { slug?: string | undefined; status?: string | undefined }): List {
  return {
    from: 'plan',
    select: PLAN_COLUMNS,
    at: 'plan.created',
    id: 'plan.id',
    bytes: 'octet_length(r::text)',
    where: new Where()
      .and('plan.vendor_id = ?', vendorId)
      .andGiven('plan.slug = ?', filter.slug)
      .andGiven('plan.status = ?', filter.status),
  };
}
