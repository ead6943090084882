import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract, TaxContext, UsagePeriod, UsageTotal } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { readContractDetail } from '../contract/detail.ts';
import { toUsagePeriod, type UsagePeriodRecordRow } from '../mapping/usage-period.ts';

export interface ContractUsage {
  contract: Contract;
  pauses: Pause[];
  tax: TaxContext;
  periods: UsagePeriod[];
  totals: UsageTotal[];
}

interface CounterRow {
  period_idx: number;
  slug: string;
  units: string;
  events: string;
}

/** All usage periods of a contract with what was reported in each: from the counters, which are right at any moment. */
export async function readContractUsage(db: Queryable, vendorId: string, contractId: string): Promise<ContractUsage | null> {
  const detail = await readContractDetail(db, vendorId, contractId);
  if (detail === null) return null;
  const periods = await db.query<UsagePeriodRecordRow>('select * from usage_period where contract_id = $1 order by idx', [contractId]);
  const counters = await db.query<CounterRow>(
    'select period_idx, feature_slug as slug, trim_scale(units)::text as units, events::text from usage_counter where contract_id = $1',
    [contractId],
  );
  const totals = counters.map(({ period_idx, slug, units, events }) => ({
    contractId,
    periodIdx: period_idx,
    slug,
    units,
    events: Number(events),
    unitsUntilNow: units,
    eventsUntilNow: Number(events),
  }));
  return { contract: detail.contract, pauses: detail.pauses, tax: detail.tax, periods: periods.map(toUsagePeriod), totals };
}
