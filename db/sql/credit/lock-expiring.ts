import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { OPEN_GRANT, type OpenGrant } from './lock-grants.ts';

/**
 * Locks the grants of customers whose life has ended and of which something is left, by their id. SQL, because every
 * bill run that closes usage asks it for all customers of a batch.
 *
 * @param only these alone; absent: all
 */
export async function lockExpiringGrants(
  tx: Queryable,
  owners: readonly { customerId: string; currency: Currency }[],
  now: Instant,
  only?: readonly string[],
): Promise<OpenGrant[]> {
  return tx.query<OpenGrant>(
    `select ${OPEN_GRANT} from credit_grant
     where (customer_id, currency) in (select * from unnest($1::text[], $2::text[])) and balance > 0 and expires_at <= $3
       and ($4::text[] is null or id = any($4)) order by id for update`,
    [owners.map(({ customerId }) => customerId), owners.map(({ currency }) => currency), stamp(now), only ?? null],
  );
}
