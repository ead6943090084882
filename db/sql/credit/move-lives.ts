import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** SQL: bought and not paid yet. */
const AWAITS = '(invoice_id is not null and paid_at is null and voided_at is null)';

/** A grant that a freeze has moved, or that awaits its payment. */
export interface MovedLife {
  id: string;
  balance: string;
  awaits: boolean;
  /** the contract whose plan gives it */
  contractId: string | null;
  expiresAt: Instant | null;
  rolloverUntil: Instant | null;
}

/**
 * Moves what of the lives of a customer's grants lies behind the beginning of a freeze by its length; a life that began
 * with a payment in the freeze keeps this beginning. SQL, because the new values follow from the rows themselves.
 *
 * @returns those that it has moved, and what awaits its payment (`awaits`), with the end of their life: what had ended
 *   before is neither written nor needed, however much there is of it
 */
export const moveLives = (tx: Queryable, customerId: string, { from, to }: { from: Instant; to: Instant }): Promise<MovedLife[]> =>
  tx.query(
    `update credit_grant set
       effective_at = effective_at + case when effective_at > $2 and effective_at is distinct from paid_at then $3 * interval '1 millisecond' else interval '0' end,
       expires_at = expires_at + case when expires_at > $2 then $3 * interval '1 millisecond' else interval '0' end,
       rollover_until = rollover_until + case when rollover_until > $2 then $3 * interval '1 millisecond' else interval '0' end
     where customer_id = $1 and (effective_at > $2 or expires_at > $2 or rollover_until > $2 or ${AWAITS})
     returning id, balance, ${AWAITS} as awaits, contract_id as "contractId", expires_at as "expiresAt", rollover_until as "rolloverUntil"`,
    [customerId, stamp(from), to - from],
  );
