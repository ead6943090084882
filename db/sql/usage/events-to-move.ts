import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { CounterKey } from './part.ts';

/** A place among the events of a counter, in the order of their instants: behind an event, or behind an instant. */
export interface EventPlace {
  /** as Postgres writes it */
  timestamp: string;
  /** null: behind all events of the instant */
  seq: string | null;
}

/** The next events behind a place, some thousands at most. */
export interface EventsToMove {
  first: Instant;
  last: Instant;
  /** behind the last of them */
  place: EventPlace;
}

/** No number of an event is greater. */
const BEHIND_ALL = '9223372036854775807';

/** A place as two parameters. */
export const placeParams = ({ timestamp, seq }: EventPlace): [string, string] => [timestamp, seq ?? BEHIND_ALL];

/** The parameters of a contract, and of `BEHIND`. */
export const behindParams = ({ contractId, idx, slug }: CounterKey, behind: EventPlace): unknown[] => [
  contractId,
  idx,
  slug,
  ...placeParams(behind),
];

/** SQL: of a contract's events those of a counter behind a place. */
export const BEHIND = `e.period_idx = $2 and e.feature_slug = $3 and (e.timestamp, e.seq) > ($4::timestamptz, $5::bigint)`;

const SQL = `
  select min(next.timestamp) as first, max(next.timestamp) as last, max(next.timestamp)::text as "lastText",
    (array_agg(next.seq order by next.timestamp desc, next.seq desc))[1]::text as seq
  from (select e.timestamp, e.seq from usage_event e where e.contract_id = $1 and ${BEHIND} order by e.timestamp, e.seq limit $6) next
  having count(*) > 0`;

/**
 * Looks at the next events of a counter that a change moves; null where there are no more. SQL: they are found from one
 * place to the next by an index, and none of them is read into the process.
 */
export async function eventsToMove(tx: Queryable, key: CounterKey, behind: EventPlace, most: number): Promise<EventsToMove | null> {
  const [row] = await tx.query<{ first: Instant; last: Instant; lastText: string; seq: string }>(SQL, [...behindParams(key, behind), most]);
  return row === undefined ? null : { first: row.first, last: row.last, place: { timestamp: row.lastText, seq: row.seq } };
}
