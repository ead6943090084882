import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { CounterKey } from './part.ts';

/** A change of what is counted of a feature. */
interface DatedUnits extends CounterKey {
  customerId: string;
  /** when its day and its hour began */
  day: Instant;
  hour: Instant;
  /** signed */
  units: string;
}

const SQL = `with period as (select marked from usage_period where contract_id = $1 and idx = $2),
  gone as (
    delete from usage_window w using period p where p.marked and w.customer_id = $3 and w.feature_slug = $4
  )
  update usage_window w set units = w.units + $5::numeric from period p
  where not p.marked and w.customer_id = $3 and w.feature_slug = $4
    and ((w.time_window = 'day' and w.began = $6::timestamptz) or (w.time_window = 'hour' and w.began = $7::timestamptz))`;

/**
 * Brings what is kept of days and hours up to date with a change of usage that was written before. Units are added
 * where they are dated; beside a marker, which decides in all days what counts, all that is kept of the feature is
 * forgotten and summed again when it is asked for. The caller has locked the customer. SQL: one statement looks which
 * it is.
 */
export async function countInWindows(tx: Queryable, { contractId, idx, customerId, slug, day, hour, units }: DatedUnits): Promise<void> {
  await tx.query(SQL, [contractId, idx, customerId, slug, units, stamp(day), stamp(hour)]);
}
