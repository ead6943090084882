import type { Queryable } from '../../connect.ts';

/** How many numbers are taken of one vendor's series. */
interface CounterRaise {
  vendorId: string;
  series: string;
  by: number;
}

/**
 * Raises counters of invoices or credit notes. A counter's row is locked until the commit, so that a number is used
 * only if its document is committed: no gaps, no duplicates. SQL, because one statement creates or raises the counters
 * of all series of a batch and returns their new values.
 *
 * @param raises each series once, in one order
 * @returns the last number of each
 */
export function raiseCounters(
  tx: Queryable,
  raises: readonly CounterRaise[],
): Promise<{ vendorId: string; series: string; last: string }[]> {
  return tx.query(
    `insert into invoice_counter (vendor_id, series, last)
     select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (vendor_id, series) do update set last = invoice_counter.last + excluded.last
     returning vendor_id as "vendorId", series, last`,
    [raises.map(({ vendorId }) => vendorId), raises.map(({ series }) => series), raises.map(({ by }) => by)],
  );
}
