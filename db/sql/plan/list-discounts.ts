import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

const COLUMNS = `id, slug, name, discount_type as type, amount, duration, currency, status, created`;

/** The discounts of a vendor. SQL, as all list pages are. */
export function discountList(vendorId: string, filter: { slug?: string | undefined; status?: string | undefined }): List {
  return {
    from: 'discount',
    select: COLUMNS,
    at: 'discount.created',
    id: 'discount.id',
    where: new Where().and('vendor_id = ?', vendorId).andGiven('slug = ?', filter.slug).andGiven('status = ?', filter.status),
  };
}
