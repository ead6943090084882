import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

/** Credits of a plan, with whose they are and when they expire. */
export interface LoneGrant {
  id: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  expiresAt: Instant;
}

/**
 * What is left of the credits that the plans of chains have given. SQL, because chains are found by their root.
 *
 * @param ended only of contracts that run no more, whatever the chain has gone on as
 */
export const loneGrants = (
  tx: Queryable,
  { rootIds = [], grantIds = [], ended }: { rootIds?: readonly string[]; grantIds?: readonly string[]; ended: boolean },
): Promise<LoneGrant[]> =>
  tx.query<LoneGrant>(
    `select g.id, g.vendor_id as "vendorId", g.customer_id as "customerId", c.test_clock_id as "clockId", g.expires_at as "expiresAt"
     from credit_grant g join contract c on c.id = g.contract_id
     where (c.root_id = any($1::text[]) or g.id = any($2::text[])) and g.balance > 0 and g.expires_at is not null
       and (not $3 or c.status in ('moved', 'canceled'))
     order by g.id`,
    [rootIds, grantIds, ended],
  );
