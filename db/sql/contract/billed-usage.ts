import type { BilledLine } from '../../../billing/invoice/types.ts';
import type { UsagePeriod } from '../../../billing/usage/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { lineProjection } from '../projections.ts';

/** No line of a period ends before the period begins, so the index by ends of spans leaves out earlier lines. */
const SQL = `
  select ${lineProjection.columns('i')}, i.voided, noted.excluding_tax::text as "creditedExcludingTax", noted.tax::text as "creditedTax"
  from unnest($1::text[], $2::int[], $3::timestamptz[]) as k(contract_id, idx, began)
  join invoice_item i on i.contract_id = k.contract_id and i.span_end >= k.began and i.period_idx = k.idx and i.kind = 'usage'
  left join lateral (
    select sum(n.total_excluding_tax) as excluding_tax, sum(n.tax_amount) as tax from credit_note_item n where n.invoice_item_id = i.id
  ) noted on true
  order by i.created, i.position, i.id`;

type Noted = Record<'creditedExcludingTax' | 'creditedTax', string | null>;

/**
 * The usage lines of periods, oldest first, with what credit notes took off them; voided ones are among them, since
 * their charge keys are used. SQL, because sums of notes are read with the lines.
 */
export async function billedUsage(tx: Queryable, periods: readonly UsagePeriod[]): Promise<BilledLine[]> {
  if (periods.length === 0) return [];
  const rows = await tx.query<Noted & { voided: boolean }>(SQL, [
    periods.map(({ contractId }) => contractId),
    periods.map(({ idx }) => idx),
    periods.map(({ start, from }) => stamp(Math.min(start, from))),
  ]);
  return rows.map((row) => {
    const { creditedExcludingTax, creditedTax, voided } = row;
    const noted = creditedExcludingTax === null ? {} : { creditedExcludingTax, creditedTax: creditedTax ?? '0' };
    return { ...lineProjection.read(row), ...noted, voided };
  });
}
