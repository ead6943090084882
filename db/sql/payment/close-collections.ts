import type { Queryable } from '../../connect.ts';

/**
 * Ends the collection of invoices; the outcome of an attempt that is still open will still be asked for. SQL, because
 * every batch of invoices that wallets have paid ends with it, and two tables are emptied in one statement.
 *
 * @returns the workflows that waited for a collection of one of them, or showed that its payment had failed
 */
export async function closeCollections(tx: Queryable, invoiceIds: readonly string[]): Promise<string[]> {
  if (invoiceIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `with off as (
       delete from agenda where subject = any($1::text[]) and (kind in ('payment_due', 'payment_retry', 'dunning_end')
         or (kind = 'payment_answer' and not exists (select 1 from payment_attempt a where a.invoice_id = agenda.subject and a.status = 'processing')))
       returning workflow_id
     ), dunned as (
       delete from dunning where invoice_id = any($1::text[]) returning invoice_id
     )
     select workflow_id as id from off
      union
     select coalesce(c.root_id, 'customer:' || i.customer_id) from dunned d
       join invoice i on i.id = d.invoice_id left join contract c on c.id = i.contract_id`,
    [invoiceIds],
  );
  return rows.map(({ id }) => id);
}
