import type { Queryable } from '../connect.ts';
import type { OutboxMessage } from '../transaction.ts';

/** Whom a workflow is about, for those who look for it by its attributes. */
export interface MessageSubject {
  vendorId: string;
  customerId: string | null;
  contractIds: string[];
}

interface SubjectRow {
  workflowId: string;
  vendorId: string;
  customerId: string | null;
  contractIds: string[];
}

/** By workflow id: contracts by their chain, payments by their invoice's contract, customers and clocks by themselves. */
export async function subjectsOf(db: Queryable, messages: readonly OutboxMessage[]): Promise<Map<string, MessageSubject>> {
  if (messages.length === 0) return new Map();
  const rows = await db.query<SubjectRow>(
    `select m.workflow_id as "workflowId", s.vendor_id as "vendorId", s.customer_id as "customerId", s.contract_ids as "contractIds"
     from unnest($1::text[], $2::text[]) as m(kind, workflow_id)
     cross join lateral (
       select c.vendor_id, c.customer_id, array[c.id] as contract_ids from contract c where m.kind = 'contract' and c.id = m.workflow_id
       union all
       select a.vendor_id, a.customer_id, case when i.contract_id is null then '{}' else array[i.contract_id] end
         from payment_attempt a join invoice i on i.id = a.invoice_id where m.kind = 'payment' and a.id = substr(m.workflow_id, 9)
       union all
       select c.vendor_id, c.id, '{}' from customer c where m.kind = 'customer' and c.id = substr(m.workflow_id, 10)
       union all
       select t.vendor_id, null, '{}' from test_clock t where m.kind = 'clock' and t.id = m.workflow_id
     ) s`,
    [messages.map(({ kind }) => kind), messages.map(({ workflowId }) => workflowId)],
  );
  return new Map(rows.map(({ workflowId, ...subject }) => [workflowId, subject]));
}
