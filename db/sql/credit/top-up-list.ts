import type { CreditTopUpRecord } from '../../entities/credit-top-up.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A top-up as it is shown. */
export type ListedTopUp = Omit<CreditTopUpRecord, 'vendorId' | 'customerId' | 'declines'>;

/** The top-ups of a customer. SQL, as all list pages are. */
export const topUpList = (customerId: string): List => ({
  from: 'credit_top_up t',
  select: `t.id, t.currency, t.below::text as below, t.amount::text as amount, t.price::text as price,
    t.at_most_per_month::text as "atMostPerMonth", t.paused_until as "pausedUntil", t.stopped_at as "stoppedAt", t.created`,
  at: 't.created',
  id: 't.id',
  where: new Where().and('t.customer_id = ?', customerId),
});
