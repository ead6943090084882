import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract, UsageTotal } from '../../billing/contract/types.ts';
import type { TaxContext } from '../../billing/invoice/types.ts';
import type { Queryable } from '../connect.ts';
import type { ContractReads } from '../contract/detail.ts';
import type { List } from '../list/page.ts';
import { Where } from '../list/where.ts';

export interface ContractUsage {
  contract: Contract;
  pauses: Pause[];
  tax: TaxContext;
  totals: UsageTotal[];
}

interface CounterRow {
  period_idx: number;
  slug: string;
  units: string;
  events: string;
}

/** A contract with what was reported in each of its usage periods: from the counters, which are right at any moment. */
export async function readContractUsage(
  db: Queryable,
  contracts: ContractReads,
  ask: { vendorId: string; keyId: string; contractId: string },
): Promise<ContractUsage | null> {
  const { contractId } = ask;
  const detail = await contracts.read(ask);
  if (detail === null) return null;
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
  return { contract: detail.contract, pauses: detail.pauses, tax: detail.tax, totals };
}

/** The usage periods of a contract in their order. */
export const usagePeriodList = (contractId: string): List => ({
  from: 'usage_period p',
  select: 'p.*',
  at: 'p.idx',
  serial: true,
  id: 'p.contract_id',
  where: new Where().and('p.contract_id = ?', contractId),
});
