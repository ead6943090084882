import type { Instant } from '../../../billing/calendar/instant.ts';
import type { UsageAlert } from '../../../billing/usage/alert.ts';
import type { Queryable } from '../../connect.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** An alert as it is shown. */
export type ListedAlert = UsageAlert & { created: Instant };

const COLUMNS = 'a.id, a.customer_id as "customerId", a.watches as "on", a.feature_slug as slug, a.steps, a.created';

/** The alerts of a customer. SQL, as all list pages are. */
export const alertList = (customerId: string): List => ({
  from: 'usage_alert a',
  select: COLUMNS,
  at: 'a.created',
  id: 'a.id',
  where: new Where().and('a.customer_id = ?', customerId),
});

/** The alerts of customers. SQL, because the intake of usage reads them, of many customers at once. */
export const alertsOf = (tx: Queryable, customerIds: readonly string[]): Promise<UsageAlert[]> =>
  tx.query<UsageAlert>(`select ${COLUMNS} from usage_alert a where a.customer_id = any($1::text[]) order by a.id`, [customerIds]);
