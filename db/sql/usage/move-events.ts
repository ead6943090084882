import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { BEHIND, behindParams, type EventPlace, placeParams } from './events-to-move.ts';
import type { CounterKey, PartKey } from './part.ts';

/** What events that were moved together come to. */
export interface MovedEvents {
  /** of those that count, as decimal text */
  units: string;
  events: number;
  /** a discarded event is in the lists, and counts nowhere */
  listed: number;
  /** the latest of them */
  at: Instant;
  hasMarkers: boolean;
  /** markers that count */
  decides: boolean;
}

const SQL = `
  with moved as (
    update usage_event e set contract_id = $6, period_idx = $7
    where e.contract_id = $1 and ${BEHIND} and (e.timestamp, e.seq) <= ($8::timestamptz, $9::bigint)
    returning e.units, e.timestamp, e.is_absolute, e.discarded_at is null as counts
  )
  select coalesce(sum(units) filter (where counts), 0)::text as units, (count(*) filter (where counts))::int as events, count(*)::int as listed,
    max(timestamp) as at, bool_or(is_absolute) as "hasMarkers", bool_or(is_absolute and counts) as decides
  from moved having count(*) > 0`;

/**
 * Gives the events of a counter between two places to a period of another contract. SQL: thousands of them are given by
 * one statement, and none is read into the process.
 */
export async function moveEvents(
  tx: Queryable,
  from: CounterKey,
  { behind, upTo }: { behind: EventPlace; upTo: EventPlace },
  to: PartKey,
): Promise<MovedEvents> {
  const [moved] = await tx.query<MovedEvents>(SQL, [...behindParams(from, behind), to.contractId, to.idx, ...placeParams(upTo)]);
  if (moved === undefined) throw new Error(`no event of ${from.contractId} lies in period ${to.idx} of ${to.contractId}`);
  return moved;
}
