import type { Queryable } from '../connect.ts';

interface TimelineRow {
  at: number;
  kind: string;
  /** id of what it happened to */
  object: string;
  detail: Record<string, unknown>;
}

export interface ContractTimeline {
  parkedReason: string | null;
  past: TimelineRow[];
  next: TimelineRow[];
}

/** What happened: what was asked of the contract, what was told of it, its periods, its invoices and their payments, in one order. */
const PAST = `select at, kind, object, detail from (
    select h.at, h.kind, h.contract_id as object, h.detail, 0 as place, h.id as seq from contract_history h where h.contract_id = $1
    union all
    select e.timestamp, e.type, e.object_id, e.data, 1, e.seq from event e where e.vendor_id = $2 and e.object_id = $1
    union all
    select p.usage_from, 'period_began', p.contract_id, jsonb_build_object('idx', p.idx), 2, p.idx from usage_period p
      where p.contract_id = $1 and p.usage_from <= $3::timestamptz
    union all
    select p.closed_at, 'usage_closed', p.contract_id, jsonb_build_object('idx', p.idx), 3, p.idx from usage_period p
      where p.contract_id = $1 and p.closed_at is not null
    union all
    select i.date, 'invoice_made', i.id, jsonb_build_object('number', i.number::text, 'total', i.total::text, 'currency', i.currency), 4, i.number
      from invoice i where i.contract_id = $1
    union all
    select e.timestamp, e.type, e.object_id, e.data, 5, e.seq from invoice i join event e on e.object_id = i.id
      where i.contract_id = $1 and e.type in ('v1.payment.succeeded', 'v1.payment.failed', 'v1.invoice.paid')
  ) happened order by at, place, seq`;

/** Ids, instants and amounts only. Null when there is no such contract. */
export async function readTimeline(db: Queryable, vendorId: string, contractId: string): Promise<ContractTimeline | null> {
  const [contract] = await db.query<{ parked_reason: string | null; now: number }>(
    `select parked_reason, coalesce((select t.now from test_clock t where t.id = test_clock_id), now()) as now
     from contract where vendor_id = $1 and id = $2`,
    [vendorId, contractId],
  );
  if (contract === undefined) return null;
  const past = await db.query<TimelineRow>(PAST, [contractId, vendorId, new Date(contract.now).toISOString()]);
  const next = await db.query<TimelineRow>(
    `select due_at as at, kind, subject as object, detail from agenda
     where contract_id = $1 or (customer_id = (select customer_id from contract where id = $1) and detail ->> 'contract_id' = $1)
     order by due_at, id`,
    [contractId],
  );
  return { parkedReason: contract.parked_reason, past, next };
}
