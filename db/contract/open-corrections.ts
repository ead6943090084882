import type { Instant } from '../../billing/calendar/instant.ts';
import type { EarlierPart } from '../../billing/contract/types.ts';
import type { Derivation } from '../../billing/invoice/types.ts';
import type { Queryable } from '../connect.ts';
import { toUsagePeriod, type UsagePeriodRecordRow } from '../mapping/usage-period.ts';
import { earlierParts } from './earlier-parts.ts';
import { usageOfPeriods } from './usage-totals.ts';

export interface CorrectionRow {
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  occasion: string;
  charged: string;
  noted: boolean;
  left_excluding_tax: string | null;
  left_tax: string | null;
  line_id: string | null;
  line_name: string;
  derivation: Derivation;
}

/**
 * Corrections to closed usage that wait for the next invoice, each with what was charged for them so far, what notes left of it, and the usage
 * line. A voided line still tells how its period is priced.
 */
export function openCorrections(tx: Queryable, contractIds: readonly string[]): Promise<CorrectionRow[]> {
  return tx.query<CorrectionRow>(
    `select k.contract_id, k.period_idx, k.feature_slug, k.occasion, coalesce(sum(i.subtotal), 0)::text as charged, count(given.tax) > 0 as noted,
       (sum(i.total_excluding_tax) - sum(given.excluding_tax))::text as left_excluding_tax, (sum(i.tax_amount) - sum(given.tax))::text as left_tax,
       closed.id as line_id, closed.name as line_name, closed.derivation
     from usage_correction k
     left join invoice_item i on i.contract_id = k.contract_id and i.period_idx = k.period_idx and i.source = 'feature:' || k.feature_slug
       and i.kind in ('usage', 'correction') and not i.dead
     left join lateral (
       select sum(n.total_excluding_tax) as excluding_tax, sum(n.tax_amount) as tax from credit_note_item n where n.invoice_item_id = i.id
     ) given on true
     left join lateral (
       select u.id, u.name, u.derivation from invoice_item u
       where u.contract_id = k.contract_id and u.period_idx = k.period_idx and u.source = 'feature:' || k.feature_slug and u.kind = 'usage'
       order by u.dead, u.id limit 1
     ) closed on true
     where k.contract_id = any($1::text[]) and k.settled_at is null
     group by k.id, closed.id, closed.name, closed.derivation order by k.id`,
    [contractIds],
  );
}

export type CorrectedPart = Pick<EarlierPart, 'period' | 'usage'>;

export const correctedKey = (contractId: string, idx: number): string => `${contractId} ${idx}`;

/** The periods to correct, each behind the parts before it, with the sums of their events. */
export async function correctedParts(tx: Queryable, rows: readonly CorrectionRow[], now: Instant): Promise<Map<string, CorrectedPart[]>> {
  const keys = rows.map((row) => ({ contract_id: row.contract_id, idx: row.period_idx }));
  const found = await tx.query<UsagePeriodRecordRow>(
    `select p.* from usage_period p
     where (p.contract_id, p.idx) in (select contract_id, idx from jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int))`,
    [JSON.stringify(keys)],
  );
  const periods = found.map(toUsagePeriod);
  const totals = Map.groupBy(await usageOfPeriods(tx, periods, now), ({ contractId, periodIdx }) => correctedKey(contractId, periodIdx));
  const earlier = await earlierParts(tx, periods, now);
  return new Map(
    periods.map((period) => {
      const key = correctedKey(period.contractId, period.idx);
      const before = period.follows === null ? [] : (earlier.get(period.contractId) ?? []);
      return [key, [...before, { period, usage: totals.get(key) ?? [] }]];
    }),
  );
}
