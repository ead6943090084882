import type { Queryable } from '../../connect.ts';
import { CANDIDATE, type Candidate, type CandidateRow, toCandidate } from './candidate.ts';

/**
 * What decides whether and when invoices are collected automatically. SQL, because a bill run asks it for all invoices
 * of a batch in one statement over seven tables.
 */
export const candidates = async (tx: Queryable, invoiceIds: readonly string[]): Promise<Candidate[]> =>
  (await tx.query<CandidateRow>(`${CANDIDATE} where i.id = any($1::text[]) order by i.id`, [invoiceIds])).map(toCandidate);
