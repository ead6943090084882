import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { OPEN_GRANT, type OpenGrant } from './lock-grants.ts';

/**
 * Locks the grants of customers whose life has ended and of which something is left, by their id. SQL, because every
 * bill run that closes usage asks it for all customers of a batch.
 */
export async function lockExpiringGrants(tx: Queryable, customerIds: readonly string[], now: Instant): Promise<OpenGrant[]> {
  if (customerIds.length === 0) return [];
  return tx.query<OpenGrant>(
    `select ${OPEN_GRANT} from credit_grant where customer_id = any($1::text[]) and balance > 0 and expires_at <= $2 order by id for update`,
    [customerIds, stamp(now)],
  );
}
