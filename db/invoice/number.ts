import type { Queryable } from '../connect.ts';

/** Whose series an invoice is numbered in: customers on a test clock number in their clock's own. */
export interface Numbered {
  contract: { vendorId: string; clockId: string | null };
}

/**
 * The next numbers of each vendor's series, one for each invoice, in the order given. The counter's row is held until the commit, so a
 * number is given exactly when its invoice is: no gaps, no doubles.
 */
export async function takeNumbers(tx: Queryable, issues: readonly Numbered[]): Promise<string[]> {
  const keyOf = ({ contract }: Numbered): string => JSON.stringify([contract.vendorId, contract.clockId ?? '']);
  const wanted = new Map<string, number>();
  for (const issue of issues) wanted.set(keyOf(issue), (wanted.get(keyOf(issue)) ?? 0) + 1);
  const keys = [...wanted.keys()].sort();
  const parts = keys.map((key) => JSON.parse(key) as [string, string]);
  const rows = await tx.query<{ vendor_id: string; series: string; last: string }>(
    `insert into invoice_counter (vendor_id, series, last)
     select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (vendor_id, series) do update set last = invoice_counter.last + excluded.last
     returning vendor_id, series, last`,
    [parts.map(([vendorId]) => vendorId), parts.map(([, series]) => series), keys.map((key) => wanted.get(key))],
  );
  const next = new Map(
    rows.map((row) => {
      const key = JSON.stringify([row.vendor_id, row.series]);
      return [key, BigInt(row.last) - BigInt(wanted.get(key) ?? 0)];
    }),
  );
  return issues.map((issue) => {
    const number = (next.get(keyOf(issue)) ?? 0n) + 1n;
    next.set(keyOf(issue), number);
    return number.toString();
  });
}
