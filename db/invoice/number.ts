import type { Queryable } from '../connect.ts';
import { raiseCounters } from '../sql/invoice/raise-counters.ts';

/** Whose series an invoice is numbered in: customers on a test clock number in their clock's own. */
export interface Numbered {
  contract: { vendorId: string; clockId: string | null };
}

/** The next numbers of each vendor's series, one for each invoice, in the order given. */
export async function takeNumbers(tx: Queryable, issues: readonly Numbered[]): Promise<string[]> {
  const keyOf = ({ contract }: Numbered): string => JSON.stringify([contract.vendorId, contract.clockId ?? '']);
  const wanted = new Map<string, number>();
  for (const issue of issues) wanted.set(keyOf(issue), (wanted.get(keyOf(issue)) ?? 0) + 1);
  const raises = [...wanted.keys()].sort().map((key) => {
    const [vendorId, series] = JSON.parse(key) as [string, string];
    return { vendorId, series, by: wanted.get(key) ?? 0 };
  });
  const rows = await raiseCounters(tx, raises);
  const next = new Map(
    rows.map(({ vendorId, series, last }) => {
      const key = JSON.stringify([vendorId, series]);
      return [key, BigInt(last) - BigInt(wanted.get(key) ?? 0)];
    }),
  );
  return issues.map((issue) => {
    const number = (next.get(keyOf(issue)) ?? 0n) + 1n;
    next.set(keyOf(issue), number);
    return number.toString();
  });
}

/** The next number of a vendor's credit notes, which count apart from invoices, without gaps as well. */
export async function takeCreditNoteNumber(tx: Queryable, vendorId: string, clockId: string | null): Promise<string> {
  const [row] = await raiseCounters(tx, [{ vendorId, series: `credit-note:${clockId ?? ''}`, by: 1 }]);
  if (row === undefined) throw new Error('no number for a credit note');
  return row.last;
}
