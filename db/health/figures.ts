import type { Queryable } from '../connect.ts';
import { OVERDUE } from '../sql/agenda/overdue.ts';
import { PUBLISHED } from './webhooks.ts';

/** How far the work of the whole installation is behind. Counts end at `MOST`. */
export interface OperatingFigures {
  /** seconds since the earliest due row of the wall clock became due; 0: nothing is due */
  agendaLag: number;
  agendaOverdue: number;
  /** seconds since the earliest unsent message should have been tried; 0: none waits */
  outboxLag: number;
  outboxUnsent: number;
  /** unsent messages that were tried in vain */
  outboxFailing: number;
  contractsParked: number;
  endpointsActive: number;
  endpointsPaused: number;
  /** seconds since the publication of the earliest event that an active endpoint has not got; 0: none waits */
  endpointsLag: number;
  /** e-mails whose time has come */
  emailsWaiting: number;
  /** seconds since the earliest of them was due */
  emailsLag: number;
}

/** Counting further tells an operator nothing more, and would read more rows the worse things are. */
const MOST = 10_000;

const secondsSince = (instant: string): string => `greatest(0, extract(epoch from clock_timestamp() - (${instant})))::float8`;
const upTo = (rows: string): string => `(select count(*) from (${rows} limit ${MOST}) few)::int`;

const DUE = 'select due_at from agenda where test_clock_id is null and not held order by due_at limit 1';
const OPEN = 'from outbox where sent < wanted';
const EMAILS = `from agenda where kind = 'email' and due_at <= clock_timestamp()`;

/**
 * The earliest event that waits after a try, or that an endpoint has not read. Each endpoint is looked at: a cursor
 * that is far back may only be that of a vendor without later events.
 */
const FIRST_WAITING = `
  select ${PUBLISHED} from event e where e.seq = (
    select min(least(
      (select b.event_seq from webhook_backlog b where b.endpoint_id = w.id and b.lane = b.object_id order by b.event_seq limit 1),
      (select e.seq from event e where e.vendor_id = w.vendor_id and e.seq > w.read_seq order by e.seq limit 1)))
    from webhook_endpoint w where w.status = 'active')`;

const SQL = `select
  coalesce(${secondsSince(DUE)}, 0) as "agendaLag",
  ${upTo(`select 1 from agenda a where ${OVERDUE}`)} as "agendaOverdue",
  coalesce(${secondsSince(`select next_try ${OPEN} order by next_try limit 1`)}, 0) as "outboxLag",
  ${upTo(`select 1 ${OPEN}`)} as "outboxUnsent",
  (select count(*) from (select tries ${OPEN} limit ${MOST}) few where tries > 0)::int as "outboxFailing",
  ${upTo('select 1 from contract where parked_reason is not null')} as "contractsParked",
  (select count(*) from webhook_endpoint where status = 'active')::int as "endpointsActive",
  (select count(*) from webhook_endpoint where status = 'paused')::int as "endpointsPaused",
  coalesce(${secondsSince(FIRST_WAITING)}, 0) as "endpointsLag",
  ${upTo(`select 1 ${EMAILS}`)} as "emailsWaiting",
  coalesce(${secondsSince(`select min(due_at) from (select due_at ${EMAILS} limit ${MOST}) few`)}, 0) as "emailsLag"`;

/**
 * What a look at the metrics asks of Postgres: one statement, each part of which reads an index up to a limit, or the
 * small table of endpoints.
 */
export async function operatingFigures(db: Queryable): Promise<OperatingFigures> {
  const [row] = await db.query<OperatingFigures>(SQL);
  if (row === undefined) throw new Error('a select without a table has one row');
  return row;
}
