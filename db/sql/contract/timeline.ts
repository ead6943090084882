import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Caller, Queryable } from '../../connect.ts';
import { stamp, stampOrNull } from '../../rows.ts';
import { AS_CARRIED_OUT } from '../agenda/as-carried-out.ts';

interface TimelineRow {
  at: number;
  kind: string;
  /** id of what it happened to */
  object: string;
  detail: Record<string, unknown>;
}

interface PastRow extends TimelineRow {
  caller_type: Caller['type'];
  caller_id: string | null;
}

export interface ContractTimeline {
  parkedReason: string | null;
  past: PastRow[];
  /** what happened before that instant isn't in `past`; null: nothing did */
  earlier: Instant | null;
  next: TimelineRow[];
}

/** The newest entries before an instant; null: up to now. */
interface TimelinePage {
  before: Instant | null;
  most: number;
}

/** What is shown of what is due: an hourly contract may have as many unpaid invoices that are charged again. */
const MOST_NEXT = 1_000;

/** Its own events, those of its invoices' payments and of the credits that its plan gave: each says so itself. */
const EVENTS = `event e where e.timeline_of = $1 and e.vendor_id = $2`;
/**
 * The freezes of its customer and their ends, which move its dates: those in its own life, not in its predecessor's. A
 * customer is activated by its registration too, which no freeze comes before.
 */
const FREEZES = `contract c join event e on e.object_id = c.customer_id where c.id = $1
  and e.vendor_id = $2 and e.type in ('v1.customer.frozen', 'v1.customer.activated')
  and e.timestamp >= case when c.predecessor_id is null then c.created else c.began end and e.timestamp < coalesce(c.ended, 'infinity')
  and exists (select from customer_pause p where p.customer_id = c.customer_id and p.began <= e.timestamp)`;

/** What entries are made of, each with the column that says when it happened. */
const SOURCES: readonly (readonly [at: string, rows: string])[] = [
  ['h.at', 'contract_history h where h.contract_id = $1'],
  ['e.timestamp', EVENTS],
  ['p.closed_at', 'usage_period p where p.contract_id = $1'],
  ['p.usage_from', 'usage_period p where p.contract_id = $1 and p.usage_from <= $5::timestamptz'],
  ['i.date', 'invoice i where i.contract_id = $1'],
  ['e.timestamp', FREEZES],
];

const newest = ([at, rows]: (typeof SOURCES)[number]): string =>
  `(select ${at} as at from ${rows} and ${at} < coalesce($3::timestamptz, 'infinity') order by ${at} desc limit $4::int)`;
/** By the first entry, from the end of an index: `exists` makes Postgres go through the table. */
const isEarlier = ([at, rows]: (typeof SOURCES)[number]): string => `(select min(${at}) from ${rows}) < f.since`;

/** Since when the newest entries happened: an instant is never divided, so there may be more of them than asked for. */
const SINCE = `with first as (
    select min(at) as since from (select at from (${SOURCES.map(newest).join(' union all ')}) times order by at desc limit $4::int) page
  )
  select f.since, ${SOURCES.map(isEarlier).join(' or ')} as more from first f`;

const within = (at: string): string => `${at} >= $4::timestamptz and ${at} < coalesce($5::timestamptz, 'infinity')`;

/**
 * What happened in a span: what was asked of the contract, its events, its periods, its invoices and their payments,
 * the credits that its plan gave, and the freezes of its customer, in one order.
 *
 * What happened at one instant is sorted by the numbers of the log of events, an invoice by that of its creation. What
 * has no number takes that of an event it belongs to: a period begins after what closed or activated at its start and
 * before anything is charged for it; a closing without an event comes before what ended the contract. The events are
 * found in windows, not by a join: for each of ten thousand periods a join may look through as many events. A renewal
 * is left out, since the period that it began stands there.
 */
const PAST = `with made as (
    select i.id, i.date, i.number, i.printed_number, i.total, i.currency, coalesce(e.seq, 0) as seq,
      coalesce(e.caller_type, 'system') as caller_type, e.caller_id
      from invoice i left join event e on e.vendor_id = $2 and e.object_id = i.id and e.type = 'v1.invoice.created'
      where i.contract_id = $1 and ${within('i.date')}
  ), happened as (
    select h.at, h.kind, h.contract_id as object, h.detail, h.seq, 0 as place, h.id as idx,
        h.caller_type, h.caller_id from contract_history h where h.contract_id = $1 and ${within('h.at')}
    union all
    select e.timestamp, e.type, e.object_id, e.data, e.seq, case e.object_id when $1 then 1 else 5 end,
        case e.type when 'v1.usage_period.closed' then (e.data ->> 'idx')::bigint when 'v1.contract.signature.completed' then -1 else 0 end,
        e.caller_type, e.caller_id
      from ${EVENTS} and ${within('e.timestamp')}
    union all
    select p.closed_at, 'usage_closed', p.contract_id, jsonb_build_object('idx', p.idx), null, 2, p.idx, 'system', null
      from usage_period p where p.contract_id = $1 and ${within('p.closed_at')}
    union all
    select p.usage_from, 'period_began', p.contract_id, jsonb_build_object('idx', p.idx), null, 3, p.idx, 'system', null
      from usage_period p where p.contract_id = $1 and p.usage_from <= $3::timestamptz and ${within('p.usage_from')}
    union all
    select m.date, 'invoice_made', m.id, jsonb_build_object('number', m.printed_number, 'total', m.total::text, 'currency', m.currency), m.seq, 4, m.number,
        m.caller_type, m.caller_id
      from made m
    union all
    select e.timestamp, e.type, e.object_id, e.data, e.seq, 1, 0, e.caller_type, e.caller_id
      from ${FREEZES} and ${within('e.timestamp')}
  ), marked as (
    select *,
      max(seq) filter (where place = 1 and kind = 'v1.usage_period.closed') over (partition by at, idx) as closed,
      min(seq) filter (where place = 1 and kind in ('v1.contract.cancellation.completed', 'v1.contract.change.completed')) over (partition by at) as ended,
      min(seq) filter (where place = 4) over (partition by at) as charged
    from happened
  ), placed as (
    select *, max(seq) filter (where place = 1 and kind in ('v1.usage_period.closed', 'v1.contract.signature.completed')
          and (charged is null or seq < charged))
        over (partition by at order by idx range between unbounded preceding and 1 preceding) as begun
    from marked
  )
  select at, kind, object, detail, caller_type, caller_id from placed
  order by at, case place when 2 then coalesce(closed, ended - 1, 0) when 3 then coalesce(begun, 0) else seq end, place, idx`;

const firstDue = (where: string): string => `(select a.* from agenda a where ${where} order by ${AS_CARRIED_OUT} limit $2::int)`;

/** What is due of it, of its invoices, and of the freeze of its customer, in the order in which it is carried out. */
const nextOf = (columns: string): string => `select ${columns} from (
    ${['a.contract_id = $1', `a.detail ->> 'contract_id' = $1`].map(firstDue).join(' union ')}
    union select a.* from agenda a where a.kind = 'freeze_end' and a.subject = (select customer_id from contract where id = $1)
  ) due order by ${AS_CARRIED_OUT} limit $2::int`;
const NEXT = nextOf('due_at as at, kind, subject as object, detail');
const NEXT_HELD = nextOf('kind, due_at as "dueAt", held');

/** Something that is due for a contract. */
export interface NextDue {
  kind: string;
  dueAt: Instant;
  /** it can't run before the contract is resumed */
  held: boolean;
}

/** The same that a timeline has as `next`, as far as a page shows it. */
export const nextOfContract = (db: Queryable, contractId: string, most: number): Promise<NextDue[]> =>
  db.query<NextDue>(NEXT_HELD, [contractId, most]);

/** Ids, instants and amounts only. Null when there is no such contract. SQL: windows over four tables. */
export async function readTimeline(
  db: Queryable,
  vendorId: string,
  contractId: string,
  { before, most }: TimelinePage,
): Promise<ContractTimeline | null> {
  const [contract] = await db.query<{ parked_reason: string | null; now: number }>(
    `select parked_reason, coalesce((select t.now from test_clock t where t.id = contract.test_clock_id), now()) as now
     from contract where vendor_id = $1 and id = $2`,
    [vendorId, contractId],
  );
  if (contract === undefined) return timelineOfDropped(db, vendorId, contractId, before);
  const now = stamp(contract.now);
  const [page] = await db.query<{ since: Instant | null; more: boolean }>(SINCE, [contractId, vendorId, stampOrNull(before), most, now]);
  const since = page?.since ?? null;
  const past = await db.query<PastRow>(PAST, [contractId, vendorId, now, stampOrNull(since), stampOrNull(before)]);
  const next = await db.query<TimelineRow>(NEXT, [contractId, MOST_NEXT]);
  return { parkedReason: contract.parked_reason, past, earlier: page?.more === true ? since : null, next };
}

/** A contract that a payment gate held back and that never was: what is known of it stands with the gate. */
async function timelineOfDropped(
  db: Queryable,
  vendorId: string,
  contractId: string,
  before: Instant | null,
): Promise<ContractTimeline | null> {
  const [gate] = await db.query<{ at: string }>(
    `select coalesce(from_contract_id, contract_id) as at from payment_gate
     where vendor_id = $1 and contract_id = $2 and status not in ('waiting', 'succeeded')`,
    [vendorId, contractId],
  );
  if (gate === undefined) return null;
  const past = await db.query<PastRow>(
    `select at, kind, contract_id as object, detail, caller_type, caller_id from contract_history
     where contract_id = $1 and detail ->> 'contract_id' = $2 and at < coalesce($3::timestamptz, 'infinity') order by at, id`,
    [gate.at, contractId, stampOrNull(before)],
  );
  return { parkedReason: null, past, earlier: null, next: [] };
}
