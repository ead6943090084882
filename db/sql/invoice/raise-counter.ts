import type { Queryable } from '../../connect.ts';

/**
 * Takes the next number of a vendor's series. The counter's row is locked until the commit, so that a number is used
 * only if its document is committed: no gaps, no duplicates. SQL, because one statement creates or raises the counter
 * and returns its new value.
 */
export async function raiseCounter(tx: Queryable, vendorId: string, series: string): Promise<string> {
  const [row] = await tx.query<{ last: string }>(
    `insert into invoice_counter (vendor_id, series, last) values ($1, $2, 1)
     on conflict (vendor_id, series) do update set last = invoice_counter.last + 1 returning last`,
    [vendorId, series],
  );
  if (row === undefined) throw new Error(`the series ${series} gave no number`);
  return row.last;
}
