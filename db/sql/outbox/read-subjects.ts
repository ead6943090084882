import type { Queryable } from '../../connect.ts';
import type { WorkflowMessage } from '../../transaction.ts';

/** Whom a workflow is about, for those who look for it by its attributes. */
export interface MessageSubject {
  vendorId: string;
  customerId: string | null;
  contractIds: string[];
  /** the invoice that is paid, or given money back of */
  invoiceId: string | null;
  /** the workflow that waits for what is due of it */
  waitingWorkflowId: string | null;
}

type SubjectRow = MessageSubject & { workflowId: string };

const OF_ATTEMPT = `
  select a.vendor_id, a.customer_id, case when i.contract_id is null then '{}' else array[i.contract_id] end, a.invoice_id,
    coalesce(c.root_id, 'customer:' || a.customer_id)
  from payment_attempt a join invoice i on i.id = a.invoice_id left join contract c on c.id = i.contract_id`;

/**
 * By workflow id: contracts by their chain, payments and refunds by their invoice's contract, customers, methods and
 * clocks by themselves. SQL, because one statement looks messages of all kinds up before they are sent.
 */
export async function subjectsOf(db: Queryable, messages: readonly WorkflowMessage[]): Promise<Map<string, MessageSubject>> {
  if (messages.length === 0) return new Map();
  const rows = await db.query<SubjectRow>(
    `select m.workflow_id as "workflowId", s.vendor_id as "vendorId", s.customer_id as "customerId", s.contract_ids as "contractIds",
       s.invoice_id as "invoiceId", s.kept_by as "waitingWorkflowId"
     from unnest($1::text[], $2::text[]) as m(kind, workflow_id)
     cross join lateral (
       select c.vendor_id, c.customer_id, array[c.id] as contract_ids, null as invoice_id, null as kept_by
         from contract c where m.kind = 'contract' and c.id = m.workflow_id
       union all
       ${OF_ATTEMPT} where m.kind = 'payment' and a.id = substr(m.workflow_id, 9)
       union all
       ${OF_ATTEMPT} where m.kind = 'refund' and a.id = (select r.attempt_id from payment_refund r where r.id = substr(m.workflow_id, 8))
       union all
       select p.vendor_id, p.customer_id, '{}', null, null from payment_method p where m.kind = 'detach' and p.id = substr(m.workflow_id, 8)
       union all
       select c.vendor_id, c.id, '{}', null, null from customer c where m.kind = 'customer' and c.id = substr(m.workflow_id, 10)
       union all
       select t.vendor_id, null, '{}', null, null from test_clock t where m.kind = 'clock' and t.id = m.workflow_id
     ) s`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
  return new Map(rows.map(({ workflowId, ...subject }) => [workflowId, subject]));
}
