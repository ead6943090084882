import type { Queryable } from '../../connect.ts';
import { type Candidate, type CandidateRow, candidatesAmong, toCandidate } from './candidate.ts';

/** An invoice among the open ones of its customer, as the agenda keeps it. */
export type OpenInvoicePlace = { due_date: string; id: string };

/** At most `$4` invoices of a customer on the wall clock; all invoices of one on a test clock. */
const SOME = `(select * from invoice o where o.customer_id = $1 and o.status = 'ready_for_payment' and o.automatic
    and (o.due_date, o.id) > ($2::timestamptz, $3)
  order by o.due_date, o.id limit (select case when c.test_clock_id is null then $4::int end from customer c where c.id = $1))`;
const SQL = `${candidatesAmong(SOME)} order by i.due_date, i.id`;

/**
 * A customer's invoices that may be collected automatically, the first due first. SQL, as `candidates` is.
 *
 * @param after the invoice behind which they begin
 * @param most of a customer on the wall clock; of one on a test clock they are all
 */
export async function candidatesOf(tx: Queryable, customerId: string, after: OpenInvoicePlace | null, most: number): Promise<Candidate[]> {
  const { due_date, id } = after ?? { due_date: '-infinity', id: '' };
  return (await tx.query<CandidateRow>(SQL, [customerId, due_date, id, most])).map(toCandidate);
}
