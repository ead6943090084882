import type { Queryable } from '../../connect.ts';
import { Invoice } from '../../entities/invoice.ts';
import type { UnnumberedInvoice } from '../invoice/insert-numbered.ts';
import { rowsAsJson } from '../write-many.ts';
import { type Candidate, type CandidateRow, candidatesAmong, toCandidate } from './candidate.ts';

const SQL = `${candidatesAmong('json_populate_recordset(null::invoice, $1::json)')} where m.id is not null order by i.id`;

/**
 * What decides when invoices are collected that the transaction is about to write; of customers without a method that
 * can be charged there are none. SQL, as `candidates` is.
 *
 * @param invoices all with the properties of the first
 */
export async function newCandidates(tx: Queryable, invoices: readonly UnnumberedInvoice[]): Promise<Candidate[]> {
  if (invoices.length === 0) return [];
  return (await tx.query<CandidateRow>(SQL, [rowsAsJson(Invoice, invoices).json])).map(toCandidate);
}
