import type { Queryable } from '../../connect.ts';
import { takesPart } from './takes-part.ts';

/** A line, and the family of lines that charge and give back the same. */
export interface KinRow {
  family: string;
  id: string;
  total: string;
  tax: string;
  /** what credit notes gave back of it */
  noted: string;
  notedTax: string;
}

/**
 * The lines of an invoice, or some of them, with all that gave back of them, on whatever invoice or on none yet. SQL,
 * because lines belong together in four ways: a line with itself, by the line that they credit, by the period and
 * source whose usage they charge or correct, by the parts that a later contract has taken off.
 *
 * @param lineIds the lines whose whole families are wanted; null for all of the invoice
 */
export const kinOfLines = (db: Queryable, invoiceId: string, lineIds: readonly string[] | null): Promise<KinRow[]> =>
  db.query<KinRow>(
    `with kin as (
       select i.id as family, i.id from invoice_item i where i.invoice_id = $1
       union select i.id, c.id from invoice_item i join invoice_item c on c.credit_of = i.id where i.invoice_id = $1
       union select i.contract_id || i.period_idx || i.source, c.id from invoice_item i
         join invoice_item c on c.contract_id = i.contract_id and c.period_idx = i.period_idx and c.source = i.source and c.kind in ('usage', 'correction')
         where i.invoice_id = $1 and i.kind in ('usage', 'correction')
       union select i.contract_id || i.period_idx || i.source, c.id from invoice_item i
         join contract own on own.id = i.contract_id join contract later on later.root_id = own.root_id and later.id <> own.id
         join invoice_item c on c.contract_id = later.id and c.source = i.source and c.kind = 'usage'
         where i.invoice_id = $1 and i.kind = 'usage' and ${takesPart('c', 'i')}
     )
     select kin.family, x.id, x.total_including_tax::text as total, x.tax_amount::text as tax, noted.amount::text as noted, noted.tax::text as "notedTax"
     from kin join invoice_item x on x.id = kin.id and not x.voided
     cross join lateral (
       select coalesce(sum(n.amount), 0) as amount, coalesce(sum(n.tax_amount), 0) as tax from credit_note_item n where n.invoice_item_id = x.id
     ) noted
     where $2::text[] is null or kin.family in (select own.family from kin own where own.id = any($2))
     order by x.created, x.position, x.id`,
    [invoiceId, lineIds],
  );
