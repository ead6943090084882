import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** A usage event that a change gives to the contract that follows. */
export interface EventToMove {
  id: string;
  timestamp: Instant;
  idx: number;
  slug: string;
  units: string;
  isAbsolute: boolean;
  isDiscarded: boolean;
}

/** Which events: those after an instant, or in periods after one, without those of some features. */
export interface MoveFilter {
  fromContractId: string;
  after: Instant | null;
  afterIdx: number;
  except: readonly string[];
}

const SQL = `
  select e.id, e.timestamp, e.period_idx as idx, e.feature_slug as slug, e.units, e.is_absolute as "isAbsolute",
    e.discarded_at is not null as "isDiscarded"
  from usage_counter u
  cross join lateral (
    select * from usage_event e where e.contract_id = u.contract_id and e.period_idx = u.period_idx and e.feature_slug = u.feature_slug
      and e.timestamp > case when u.period_idx > $3 then '-infinity' else $2::timestamptz end
    offset 0
  ) e
  where u.contract_id = $1 and u.feature_slug <> all($4::text[])`;

/**
 * The usage events that a change moves. SQL: a table that may have millions of rows of a contract is looked up by the
 * contract's counters, so that only what moves is read.
 */
export const eventsToMove = (tx: Queryable, { fromContractId, after, afterIdx, except }: MoveFilter): Promise<EventToMove[]> =>
  tx.query<EventToMove>(SQL, [fromContractId, stampOrNull(after), afterIdx, except]);
