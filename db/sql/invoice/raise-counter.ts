import type { Queryable } from '../../connect.ts';
import { printedNumber } from './printed-number.ts';

/** A number and how it is printed. */
export interface TakenNumber {
  serialNumber: string;
  number: string;
}

const SQL = `with raised as (
    insert into invoice_counter (vendor_id, series, last) values ($1, $2, 1)
    on conflict (vendor_id, series) do update set last = invoice_counter.last + 1 returning last
  )
  select last as "serialNumber",
    ${printedNumber('last', 'v.number_format', `coalesce(v.number_format ->> 'creditNotePrefix', v.number_format ->> 'prefix')`)} as number
  from raised, vendor v where v.id = $1`;

/**
 * Takes the next number of a vendor's series of credit notes. The counter's row is locked until the commit, so that a
 * number is used only if its document is committed: no gaps, no duplicates. SQL, because one statement creates or
 * raises the counter and returns its new value.
 */
export async function raiseCounter(tx: Queryable, vendorId: string, series: string): Promise<TakenNumber> {
  const [row] = await tx.query<TakenNumber>(SQL, [vendorId, series]);
  if (row === undefined) throw new Error(`the series ${series} gave no number`);
  return row;
}
