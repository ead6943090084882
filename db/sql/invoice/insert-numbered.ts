import type { Queryable } from '../../connect.ts';
import { Invoice } from '../../entities/invoice.ts';
import { type NewRow, rowsAsJson } from '../write-many.ts';
import { printedNumber } from './printed-number.ts';

/** An invoice as it is written, without its number. */
export type UnnumberedInvoice = Omit<NewRow<typeof Invoice>, 'number' | 'serialNumber'>;

/**
 * Numbers invoices, each in its vendor's series (a test clock has a series of its own), in the order given, and inserts
 * them. The counters' rows are locked until the commit, so that a number is used only if its invoice is committed: no
 * gaps, no duplicates. SQL, because numbers are taken and used in one statement, the last before the commit: other
 * transactions of the vendor wait only for that.
 *
 * @param rows all with the properties of the first
 */
export async function insertNumbered(tx: Queryable, rows: readonly UnnumberedInvoice[]): Promise<void> {
  if (rows.length === 0) return;
  const { table, names, json } = rowsAsJson(Invoice, rows);
  await tx.query(
    `with given as (
       select * from json_populate_recordset(null::"${table}", $1::json) with ordinality
     ), raised as (
       insert into invoice_counter (vendor_id, series, last)
       select vendor_id, series, count(*) from given group by vendor_id, series order by vendor_id, series
       on conflict (vendor_id, series) do update set last = invoice_counter.last + excluded.last
       returning vendor_id, series, last, (select v.number_format from vendor v where v.id = invoice_counter.vendor_id) as format
     )
     insert into "${table}" (${names}, number, printed_number)
     select ${names}, place, ${printedNumber('place', 'format', `(format ->> 'prefix')`)} from (
       select *, last - count(*) over of_series + row_number() over (of_series order by ordinality) as place
       from given join raised using (vendor_id, series)
       window of_series as (partition by vendor_id, series)
     ) numbered order by place`,
    [json],
  );
}
