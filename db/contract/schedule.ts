import type { Instant } from '../../billing/calendar/instant.ts';
import type { AgendaKind, ContractStatus } from '../../billing/contract/types.ts';
import { CONTRACT_KINDS } from '../agenda/contract-rows.ts';
import type { Queryable } from '../connect.ts';

interface DueRow {
  kind: AgendaKind;
  dueAt: Instant;
  detail: Record<string, unknown>;
}

/** What a contract's workflow has to know: where the contract stands and what comes next. */
export interface ContractSchedule {
  contractId: string;
  vendorId: string;
  customerId: string;
  planId: string;
  planSlug: string;
  clockId: string | null;
  predecessorId: string | null;
  successorId: string | null;
  status: ContractStatus;
  customerFrozen: boolean;
  periodIdx: number | null;
  periodEnd: Instant | null;
  parked: string | null;
  /** open usage periods, the running one included */
  openPeriods: number;
  /** earliest first, a few */
  due: DueRow[];
  /** rows of the wall clock due at the same instant as its first, itself among them; counted up to `MOST_SHARING`, 0 on a test clock */
  sharing: number;
  /** the wall clock's time */
  readAt: Instant;
}

interface ScheduleRow extends Omit<ContractSchedule, 'due' | 'openPeriods' | 'sharing'> {
  openPeriods: string;
  sharing: string;
  due: { kind: AgendaKind; dueAt: string; detail: Record<string, unknown> }[] | null;
}

const SHOWN = 6;
/** Rows of one instant are counted up to here. */
export const MOST_SHARING = 10_000;

/** The schedule of one contract, null when there is no such contract. */
export async function readSchedule(tx: Queryable, contractId: string): Promise<ContractSchedule | null> {
  const [row] = await tx.query<ScheduleRow>(
    `select c.id as "contractId", c.vendor_id as "vendorId", c.customer_id as "customerId", c.plan_id as "planId", c.terms->>'slug' as "planSlug",
       c.test_clock_id as "clockId", c.predecessor_id as "predecessorId", c.successor_id as "successorId", c.status, cu.status = 'inactive' as "customerFrozen", c.current_idx as "periodIdx",
       c.next_cycle_start as "periodEnd", c.parked_reason as parked,
       (select count(*) from usage_period p where p.contract_id = c.id and p.status <> 'closed') as "openPeriods",
       (select jsonb_agg(jsonb_build_object('kind', a.kind, 'dueAt', a.due_at, 'detail', a.detail) order by a.due_at, a.id)
        from (select * from agenda where contract_id = c.id and kind = any($2::text[]) order by due_at, id limit ${SHOWN}) a) as due,
       (select count(*) from (select from agenda where test_clock_id is null and c.test_clock_id is null
          and due_at = (select min(due_at) from agenda where contract_id = c.id and kind = any($2::text[])) limit ${MOST_SHARING}) s) as sharing, clock_timestamp() as "readAt"
     from contract c join customer cu on cu.id = c.customer_id where c.id = $1`,
    [contractId, CONTRACT_KINDS],
  );
  if (row === undefined) return null;
  return {
    ...row,
    openPeriods: Number(row.openPeriods),
    sharing: Number(row.sharing),
    readAt: Math.floor(row.readAt),
    due: (row.due ?? []).map(({ kind, dueAt, detail }) => ({ kind, dueAt: Date.parse(dueAt), detail })),
  };
}
