import type { Instant } from '../../billing/calendar/instant.ts';
import type { UsageCorrection } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { usageOfPeriods } from './usage-totals.ts';

interface CorrectionRow {
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  occasion: string;
  charged: string;
  line_id: string | null;
  noted: boolean;
  left_excluding_tax: string | null;
  left_tax: string | null;
}

/** Corrections to closed usage that wait for the next invoice, each with today's units of its period, what was charged for them so far and what notes left of it. */
export async function openCorrections(tx: Queryable, contractIds: readonly string[], now: Instant): Promise<UsageCorrection[]> {
  const rows = await tx.query<CorrectionRow>(
    `select k.contract_id, k.period_idx, k.feature_slug, k.occasion, coalesce(sum(i.subtotal), 0)::text as charged,
       min(i.id) filter (where i.kind = 'usage') as line_id, count(given.tax) > 0 as noted,
       (sum(i.total_excluding_tax) - sum(given.excluding_tax))::text as left_excluding_tax, (sum(i.tax_amount) - sum(given.tax))::text as left_tax
     from usage_correction k
     left join invoice_item i on i.contract_id = k.contract_id and i.period_idx = k.period_idx and i.source = 'feature:' || k.feature_slug
       and i.kind in ('usage', 'correction') and not i.dead
     left join lateral (
       select sum(n.total_excluding_tax) as excluding_tax, sum(n.tax_amount) as tax from credit_note_item n where n.invoice_item_id = i.id
     ) given on true
     where k.contract_id = any($1::text[]) and k.settled_at is null
     group by k.id order by k.id`,
    [contractIds],
  );
  const totals = await usageOfPeriods(
    tx,
    rows.map((row) => ({ contractId: row.contract_id, idx: row.period_idx })),
    now,
  );
  return rows.map((row) => ({
    contractId: row.contract_id,
    periodIdx: row.period_idx,
    slug: row.feature_slug,
    occasion: row.occasion,
    charged: row.charged,
    ...(row.noted ? { left: { totalExcludingTax: row.left_excluding_tax ?? '0', taxAmount: row.left_tax ?? '0' } } : {}),
    lineId: row.line_id,
    units:
      totals.find((t) => t.contractId === row.contract_id && t.periodIdx === row.period_idx && t.slug === row.feature_slug)?.units ?? '0',
  }));
}
