import type { Instant } from '../../../billing/calendar/instant.ts';
import type { ContractStatus } from '../../../billing/contract/types.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { AS_CARRIED_OUT } from '../agenda/as-carried-out.ts';

interface DueRow {
  kind: string;
  dueAt: Instant;
  /** the contract it is due for; of a collection the one that the invoice belongs to */
  contractId: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/** A contract of a chain, as its workflow shows it. */
interface ChainContract {
  contractId: string;
  status: ContractStatus;
  planId: string;
  planSlug: string;
  periodIdx: number | null;
  parked: string | null;
  isLive: boolean;
  /** its usage is invoiced each time it comes to an invoice threshold */
  hasThreshold: boolean;
  /** the first of its periods that have ended and whose usage only a call closes */
  unclosedIdx: number | null;
  /** charges of it wait for an invoice that only a call makes */
  isUninvoiced: boolean;
  /** the oldest of its invoices that wait for their validation */
  draftId: string | null;
  /** a usage period of it is still open */
  isOpen: boolean;
}

/** Something that happened since the schedule was last read, or lately at a first look. */
export interface DoneRow {
  at: Instant;
  type: string;
  object: string;
  actor: string;
}

/** An open invoice whose automatic payment has failed. */
export interface DunnedInvoiceRow {
  invoiceId: string;
  /** failed tries of its method, the first one included */
  failures: number;
  retries: number;
  /** no automatic retry follows any more */
  givenUp: boolean;
  /** the last try */
  attemptId: string | null;
}

/** What the workflow of a chain of contracts has to know: where the chain stands and what comes next. */
export interface ChainSchedule {
  chainId: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  /** made within the last hour; null: on a test clock */
  isNew: boolean | null;
  isFrozen: boolean;
  /** when the freeze ends by itself */
  resumesAt: Instant | null;
  /** live ones first, then those with open usage or that wait for a call, then the latest */
  contracts: ChainContract[];
  /** earliest first, a few; held rows are left out */
  due: DueRow[];
  /** the oldest first, a few */
  dunned: DunnedInvoiceRow[];
  /** rows of the chain that can't run now */
  heldRows: number;
  /** contracts' rows of the wall clock that are due and undone, counted up to `HERD` */
  undone: number;
  /** the smallest workflow id among those that wait for the same instant as this one does first */
  firstThen: string | null;
  /** rows that are due at the same instant as this chain's first, counted up to 2,000 */
  dueThen: number;
  /** the latest events after the number given, latest last, a few */
  done: DoneRow[];
  /**
   * the number to give next time: that of the chain's own latest event, since another's may be committed before an
   * earlier one of this chain
   */
  seen: string;
  /** the wall clock's time */
  readAt: Instant;
}

type Json<T> = { [K in keyof T]: T[K] extends Instant ? string : T[K] };
type ScheduleRow = Omit<ChainSchedule, 'contracts' | 'due' | 'dunned' | 'done' | 'heldRows' | 'undone' | 'dueThen'> & {
  contracts: ChainContract[] | null;
  due: (Omit<DueRow, 'dueAt'> & { dueAt: string })[] | null;
  dunned: DunnedInvoiceRow[] | null;
  done: Json<DoneRow>[] | null;
  heldRows: string;
  undone: string;
  dueThen: string;
};

/** The least number of contracts due together that a bill run takes over. */
export const HERD = 50;
const DUE_THEN_COUNTED = 2_000;
const DUE_SHOWN = 8;
const DUNNED_SHOWN = 8;
/** The most contract ids that fit into a search attribute. */
const CONTRACTS_SHOWN = 20;
const DONE_SHOWN = 20;
/** Each change leaves a contract that has ended; usage that only a caller closes wakes nobody, however old it is. */
const ENDED_LOOKED_AT = 100;

/** Postgres keeps its plan of the statement for one chain, and plans that for several each time. */
const ASKED = {
  one: '(select $2::text as id, $3::bigint as since) as asked',
  several: '(select id, null::bigint as since from unnest($2::text[]) as id) as asked',
} as const;
/** A signing that was not paid in time has no contract any more, though its payment may still be waited for. */
const UNPAID =
  '(select contract_id as id, vendor_id, customer_id, test_clock_id, created from payment_gate where from_contract_id is null)';

/**
 * A chain by the row of its first contract, or of what is left of one that was never paid. Of each object the latest
 * events are read by their numbers within it: all events behind a number are those of all vendors.
 */
const sqlOf = (asked: keyof typeof ASKED, root: string): string => `
  select s.* from ${ASKED[asked]} cross join lateral (
    with chain as (
      select c.id as "contractId", c.status, c.plan_id as "planId", c.terms->>'slug' as "planSlug", c.current_idx as "periodIdx", c.parked_reason as parked,
        c.status in ('not_ready', 'pending', 'scheduled', 'active') as "isLive",
        exists (select from usage_period p where p.contract_id = c.id and p.status <> 'closed') as "isOpen", c.configuration ->> 'invoiceThreshold' is not null as "hasThreshold",
        (select min(p.idx) from usage_period p where p.contract_id = c.id and p.status = 'closing' and p.closes_at is null) as "unclosedIdx",
        c.configuration ->> 'invoiceTrigger' is distinct from 'immediate' and exists
          (select from invoice_item i where i.contract_id = c.id and i.invoice_id is null and not i.voided and not i.elsewhere) as "isUninvoiced",
        (select i.id from invoice i where i.customer_id = c.customer_id and i.contract_id = c.id and i.status = 'pending_validation'
           order by i.date, i.id limit 1) as "draftId", c.is_successor, c.created
      from (
        (select * from contract where root_id = asked.id and ended is null)
        union all
        (select * from contract where root_id = asked.id and ended is not null order by ended desc limit ${ENDED_LOOKED_AT})
      ) c
    ), shown as (
      select * from chain order by "isLive" desc, is_successor, "isOpen" or "isUninvoiced" or "draftId" is not null desc, created desc, "contractId" desc limit ${CONTRACTS_SHOWN}
    ), next as (
      select * from agenda where workflow_id = asked.id and not held order by ${AS_CARRIED_OUT} limit ${DUE_SHOWN}
    ), objects as (
      select "contractId" as id from shown
      union all
      select i.id from shown cross join lateral (
        select id from invoice i where i.contract_id = shown."contractId" order by i.date desc limit ${DONE_SHOWN}
      ) i where asked.since is not null
    ), done as (
      select e.* from objects cross join lateral (
        select seq, timestamp, type, object_id, actor from event where object_id = objects.id order by object_sequence desc limit ${DONE_SHOWN}
      ) e where asked.since is not null and e.seq > asked.since order by e.seq desc limit ${DONE_SHOWN}
    )
    select r.id as "chainId", r.vendor_id as "vendorId", r.customer_id as "customerId", r.test_clock_id as "clockId",
      case when r.test_clock_id is null then r.created > clock_timestamp() - interval '1 hour' end as "isNew", cu.status = 'inactive' as "isFrozen", cu.resume_at as "resumesAt",
      (select jsonb_agg(to_jsonb(s) - 'is_successor' - 'created') from shown s) as contracts,
      (select jsonb_agg(jsonb_build_object('kind', n.kind, 'dueAt', n.due_at, 'contractId', coalesce(n.contract_id, n.detail->>'contract_id'),
          'subject', n.subject, 'detail', n.detail) order by n.due_at, n.id) from next n) as due,
      (select jsonb_agg(jsonb_build_object('invoiceId', d.invoice_id, 'failures', d.failures, 'retries', jsonb_array_length(d.retry_days),
          'givenUp', d.given_up or d.failures > jsonb_array_length(d.retry_days), 'attemptId',
          (select a.id from payment_attempt a where a.invoice_id = d.invoice_id order by a.created desc limit 1)) order by d.first_failure, d.invoice_id)
         from (select d.* from dunning d join invoice i on i.id = d.invoice_id join contract c on c.id = i.contract_id
                where d.customer_id = r.customer_id and c.root_id = asked.id order by d.first_failure, d.invoice_id limit ${DUNNED_SHOWN}) d) as dunned,
      (select count(*) from (select from agenda where workflow_id = asked.id and held limit 1) h) as "heldRows",
      (select count(*) from (select from agenda where test_clock_id is null and not held and due_at <= (select clock_timestamp()) and kind = any($1::text[])
         limit ${HERD}) h) as undone,
      (select min(a.workflow_id) from agenda a where a.test_clock_id is null and not a.held and a.due_at = (select min(due_at) from next)) as "firstThen",
      (select count(*) from (select from agenda a where a.test_clock_id is null and not a.held and a.due_at = (select min(due_at) from next)
         limit ${DUE_THEN_COUNTED}) h) as "dueThen",
      (select jsonb_agg(jsonb_build_object('at', d.timestamp, 'type', d.type, 'object', d.object_id, 'actor', d.actor) order by d.seq) from done d) as done,
      coalesce((select max(d.seq) from done d), asked.since, (select last_value from event_seq_seq))::text as seen, clock_timestamp() as "readAt"
    from ${root} r join customer cu on cu.id = r.customer_id where r.id = asked.id
  ) s`;
const ONE = { paid: sqlOf('one', 'contract'), unpaid: sqlOf('one', UNPAID) };
const SEVERAL = { paid: sqlOf('several', 'contract'), unpaid: sqlOf('several', UNPAID) };

/**
 * The schedules of chains of contracts, without their events; a chain that doesn't exist is left out. SQL: every
 * wake-up of every chain asks for its own, and every start of a workflow, over ten tables.
 */
export async function readChainSchedules(tx: Queryable, chainIds: readonly string[]): Promise<ChainSchedule[]> {
  const read = (sql: string, ids: readonly string[]) => tx.query<ScheduleRow>(sql, [CONTRACT_KINDS, ids]);
  const found = await read(SEVERAL.paid, chainIds);
  const known = new Set(found.map(({ chainId }) => chainId));
  const gone = chainIds.filter((id) => !known.has(id));
  const rows = gone.length === 0 ? found : [...found, ...(await read(SEVERAL.unpaid, gone))];
  return rows.map(scheduleOf);
}

/**
 * The schedule of one chain, null when there is none.
 *
 * @param since `seen` of its schedule read before; '0': the latest of all its events; null: none
 */
export async function readChainSchedule(tx: Queryable, chainId: string, since: string | null): Promise<ChainSchedule | null> {
  const read = (sql: string) => tx.query<ScheduleRow>(sql, [CONTRACT_KINDS, chainId, since]);
  const [row] = await read(ONE.paid);
  const [found] = row === undefined ? await read(ONE.unpaid) : [row];
  return found === undefined ? null : scheduleOf(found);
}

const scheduleOf = (row: ScheduleRow): ChainSchedule => ({
  ...row,
  contracts: row.contracts ?? [],
  dunned: row.dunned ?? [],
  heldRows: Number(row.heldRows),
  undone: Number(row.undone),
  dueThen: Number(row.dueThen),
  readAt: Math.floor(row.readAt),
  due: (row.due ?? []).map((one) => ({ ...one, dueAt: Date.parse(one.dueAt) })),
  done: (row.done ?? []).map((one) => ({ ...one, at: Date.parse(one.at) })),
});
