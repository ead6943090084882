import type { Instant } from '../../billing/calendar/instant.ts';
import type { EarlierPart } from '../../billing/contract/types.ts';
import type { Derivation } from '../../billing/invoice/types.ts';
import type { Queryable } from '../connect.ts';
import { toUsagePeriod, type UsagePeriodRecordRow } from '../mapping/usage-period.ts';
import { earlierParts } from './earlier-parts.ts';
import { usageOfPeriods } from './usage-totals.ts';

export interface CorrectionRow {
  /** the contract whose next invoice it waits for */
  payer_id: string;
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
 * Corrections to closed usage that wait for the next invoice of these contracts, each with what was charged for them so
 * far, what notes left of it, and the usage line. A voided line still tells how its period is priced.
 */
export async function openCorrections(tx: Queryable, contracts: readonly { id: string; root_id: string }[]): Promise<CorrectionRow[]> {
  const roots = contracts.map(({ root_id }) => root_id);
  // hardly ever there is one, and to plan the statement below costs Postgres more than a millisecond
  const [open] = await tx.query('select from usage_correction where root_id = any($1::text[]) and settled_at is null limit 1', [roots]);
  if (open === undefined) return [];
  return tx.query<CorrectionRow>(
    `with open as materialized (
       select k.*, coalesce(live.id, k.contract_id) as payer_id
       from usage_correction k join contract c on c.id = k.contract_id
       left join contract live on live.root_id = k.root_id and ${liveOfChain('c', 'live')}
       where k.root_id = any($1::text[]) and k.settled_at is null
     )
     select k.payer_id, k.contract_id, k.period_idx, k.feature_slug, k.occasion, coalesce(sum(i.subtotal), 0)::text as charged, count(given.tax) > 0 as noted,
       (sum(i.total_excluding_tax) - sum(given.excluding_tax))::text as left_excluding_tax, (sum(i.tax_amount) - sum(given.tax))::text as left_tax,
       closed.id as line_id, closed.name as line_name, closed.derivation
     from open k
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
     where k.payer_id = any($2::text[])
     group by k.id, k.payer_id, k.contract_id, k.period_idx, k.feature_slug, k.occasion, closed.id, closed.name, closed.derivation order by k.id`,
    [roots, contracts.map(({ id }) => id)],
  );
}

/**
 * SQL: `live` is the contract of the chain whose next invoice takes up corrections of another one's closed usage: the
 * live one. One invoice holds one currency, so after a change of currency there is none.
 */
const liveOfChain = (of: string, live: string): string =>
  `${live}.status not in ('moved', 'canceled') and not ${live}.is_successor and ${live}.terms->>'currency' = ${of}.terms->>'currency'`;

/**
 * The live contract whose next invoice takes up the corrections of a contract's closed usage, held; null when there is
 * none.
 */
export async function lockLiveOfChain(tx: Queryable, contractId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `select live.id from contract c join contract live on live.root_id = c.root_id and ${liveOfChain('c', 'live')}
     where c.id = $1 for update of live`,
    [contractId],
  );
  return row?.id ?? null;
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
