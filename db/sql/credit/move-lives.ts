import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Moves what of the lives of a customer's grants lies behind the beginning of a freeze by its length; a life that began
 * with a payment in the freeze keeps this beginning. SQL, because the new values follow from the rows themselves.
 *
 * @returns all of its grants, with the end of their life; `awaits`: bought and not paid yet
 */
export const moveLives = (
  tx: Queryable,
  customerId: string,
  { from, to }: { from: Instant; to: Instant },
): Promise<{ id: string; balance: string; awaits: boolean; expiresAt: Instant | null }[]> =>
  tx.query(
    `update credit_grant set
       effective_at = effective_at + case when effective_at > $2 and effective_at is distinct from paid_at then $3 * interval '1 millisecond' else interval '0' end,
       expires_at = expires_at + case when expires_at > $2 then $3 * interval '1 millisecond' else interval '0' end,
       rollover_until = rollover_until + case when rollover_until > $2 then $3 * interval '1 millisecond' else interval '0' end
     where customer_id = $1 returning id, balance,
       invoice_id is not null and paid_at is null and voided_at is null as awaits, expires_at as "expiresAt"`,
    [customerId, stamp(from), to - from],
  );
