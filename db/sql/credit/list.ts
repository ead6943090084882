import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A vendor's credit grants, oldest first. SQL, as all list pages are. */
export const grantList = (vendorId: string, { customer }: { customer?: string | undefined }): List => ({
  from: 'credit_grant g',
  select: 'g.id',
  at: 'g.created',
  id: 'g.id',
  where: new Where().and('g.vendor_id = ?', vendorId).andGiven('g.customer_id = ?', customer),
});

/** A use of a grant, or what it got back, as a list reads it. */
export interface ListedUse {
  grant_id: string;
  invoice_id: string | null;
  currency: string;
  amount: string;
  at: number;
}

/** The uses of a customer's grants, oldest first. SQL, as all list pages are. */
export const useList = (vendorId: string, customerId: string, { currency }: { currency?: string | undefined }): List => ({
  from: 'credit_movement m join credit_grant g on g.id = m.grant_id',
  select: 'm.grant_id, m.invoice_id, g.currency, -m.amount as amount, m.at',
  at: 'm.at',
  id: 'm.id',
  where: new Where()
    .and('g.vendor_id = ?', vendorId)
    .and('g.customer_id = ?', customerId)
    .and(`m.kind in ('used', 'returned')`)
    .andGiven('g.currency = ?', currency),
});
