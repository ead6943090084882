import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { PeriodRow } from './lock-period.ts';
import { firstSince } from './part.ts';

/**
 * Locks the period of a contract an instant lies in; the earlier one, where two have it. SQL, because it is part of
 * every usage event that is decided one by one.
 */
export async function lockPeriodAt(tx: Queryable, contractId: string, at: Instant): Promise<PeriodRow | null> {
  const [row] = await tx.query<PeriodRow>(
    `select idx, status from usage_period
     where contract_id = $1 and idx >= ${firstSince('$1', '$2::timestamptz')}
       and usage_from <= $2 and (usage_until is null or $2 < usage_until) order by idx limit 1 for update`,
    [contractId, stamp(at)],
  );
  return row ?? null;
}
