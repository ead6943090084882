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
}

/** Corrections to closed usage that wait for the next invoice, each with today's units of its period and what was charged for them so far. */
export async function openCorrections(tx: Queryable, contractIds: readonly string[], now: Instant): Promise<UsageCorrection[]> {
  const rows = await tx.query<CorrectionRow>(
    `select k.contract_id, k.period_idx, k.feature_slug, k.occasion, coalesce(sum(i.subtotal), 0)::text as charged,
       min(i.id) filter (where i.kind = 'usage') as line_id
     from usage_correction k
     left join invoice_item i on i.contract_id = k.contract_id and i.period_idx = k.period_idx and i.source = 'feature:' || k.feature_slug
       and i.kind in ('usage', 'correction') and not i.dead
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
    lineId: row.line_id,
    units:
      totals.find((t) => t.contractId === row.contract_id && t.periodIdx === row.period_idx && t.slug === row.feature_slug)?.units ?? '0',
  }));
}
