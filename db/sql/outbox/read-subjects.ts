import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';

/** Vendor, customer and contract that a workflow is about, for its search attributes. */
export interface MessageSubject {
  vendorId: string;
  customerId: string | null;
  contractIds: string[];
  /** the invoice that is paid, or given money back of */
  invoiceId: string | null;
  /** the workflow that waits for what is due of it */
  waitingWorkflowId: string | null;
  clockId: string | null;
  /** of a customer: a few of its rows of no contract, those on the wall clock first, each earliest first */
  due: SubjectDue[];
}

export interface SubjectDue {
  kind: string;
  at: Instant;
  detail: object;
  onClock: boolean;
}

type SubjectRow = Omit<MessageSubject, 'due'> & { workflowId: string; due: (Omit<SubjectDue, 'at'> & { at: string })[] | null };

const SHOWN = 8;

const OF_ATTEMPT = `
  select a.vendor_id, a.customer_id, coalesce(array_remove(array[coalesce(i.contract_id, g.contract_id)], null), '{}'), a.invoice_id,
    coalesce(c.root_id, g.workflow_id, 'customer:' || a.customer_id), null::text, null::jsonb
  from payment_attempt a left join invoice i on i.id = a.invoice_id left join contract c on c.id = i.contract_id
    left join payment_gate g on g.contract_id = a.gate_id`;

/**
 * By workflow id: payments and refunds by their invoice's contract, customers, methods and clocks by themselves;
 * chains of contracts are read by `readChainSchedules`. SQL, because one statement looks messages of all kinds up
 * before they are sent.
 */
export async function subjectsOf(db: Queryable, messages: readonly WorkflowMessage[]): Promise<Map<string, MessageSubject>> {
  if (messages.length === 0) return new Map();
  const rows = await db.query<SubjectRow>(
    `select m.workflow_id as "workflowId", s.vendor_id as "vendorId", s.customer_id as "customerId", s.contract_ids as "contractIds",
       s.invoice_id as "invoiceId", s.kept_by as "waitingWorkflowId", s.clock_id as "clockId", s.due
     from unnest($1::text[], $2::text[]) as m(kind, workflow_id)
     cross join lateral (
       ${OF_ATTEMPT} where m.kind = 'payment' and a.id = substr(m.workflow_id, 9)
       union all
       ${OF_ATTEMPT} where m.kind = 'refund' and a.id = (select r.attempt_id from payment_refund r where r.id = substr(m.workflow_id, 8))
       union all
       select p.vendor_id, p.customer_id, '{}', null, null, null, null from payment_method p where m.kind = 'detach' and p.id = substr(m.workflow_id, 8)
       union all
       select c.vendor_id, c.id, '{}', null, null, c.test_clock_id,
         (select jsonb_agg(jsonb_build_object('kind', n.kind, 'at', n.due_at, 'detail', n.detail, 'onClock', n.test_clock_id is not null)
              order by n.test_clock_id nulls first, n.due_at, n.id)
            from (select * from agenda a where a.workflow_id = m.workflow_id and not a.held
              order by a.test_clock_id nulls first, a.due_at, a.id limit ${SHOWN}) n)
         from customer c where m.kind = 'customer' and c.id = substr(m.workflow_id, 10)
       union all
       select w.vendor_id, null, '{}', null, null, null, null from webhook_endpoint w where m.kind = 'webhook' and w.id = m.workflow_id
       union all
       select t.vendor_id, null, '{}', null, null, t.id, null from test_clock t where m.kind = 'clock' and t.id = m.workflow_id
       union all
       select v.vendor_id, null, '{}', null, null, null, null from plan_move v where m.kind = 'plan_move' and v.id = m.workflow_id
       union all
       select b.vendor_id, null, '{}', null, null, null, null from import b where m.kind = 'import' and b.id = m.workflow_id
     ) s(vendor_id, customer_id, contract_ids, invoice_id, kept_by, clock_id, due)`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
  return new Map(
    rows.map(({ workflowId, due, ...subject }) => [
      workflowId,
      { ...subject, due: (due ?? []).map((one) => ({ ...one, at: Date.parse(one.at) })) },
    ]),
  );
}
