import type { Queryable } from '../../connect.ts';
import { CANDIDATE, type Candidate, type CandidateRow, toCandidate } from './candidate.ts';

/** A customer's invoices that may be collected automatically. SQL, as `candidates` is. */
export async function candidatesOf(tx: Queryable, customerId: string): Promise<Candidate[]> {
  const open = `where i.customer_id = $1 and i.status = 'ready_for_payment' and i.automatic order by i.id`;
  return (await tx.query<CandidateRow>(`${CANDIDATE} ${open}`, [customerId])).map(toCandidate);
}
