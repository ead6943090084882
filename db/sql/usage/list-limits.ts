import type { Instant } from '../../../billing/calendar/instant.ts';
import type { UsageLimit } from '../../../billing/usage/limit.ts';
import type { Queryable } from '../../connect.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A limit as it is shown. */
export type ListedLimit = UsageLimit & { created: Instant };

const COLUMNS = `l.id, l.customer_id as "customerId", l.feature_slug as slug, trim_scale(l.units)::text as units, l.amount::text as amount,
  l.time_window as "window", l.action, l.created`;

/** The limits of a customer. SQL, as all list pages are. */
export const limitList = (customerId: string): List => ({
  from: 'usage_limit l',
  select: COLUMNS,
  at: 'l.created',
  id: 'l.id',
  where: new Where().and('l.customer_id = ?', customerId),
});

/** The limits of customers. SQL, because the intake of usage reads them, of many customers at once. */
export const limitsOf = (tx: Queryable, customerIds: readonly string[]): Promise<UsageLimit[]> =>
  tx.query<UsageLimit>(`select ${COLUMNS} from usage_limit l where l.customer_id = any($1::text[]) order by l.id`, [customerIds]);
