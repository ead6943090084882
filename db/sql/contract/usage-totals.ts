import type { Instant } from '../../../billing/calendar/instant.ts';
import type { UsageTotal } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { usageSums } from '../usage/sum.ts';

type TotalRow = Omit<UsageTotal, 'events' | 'eventsUntilNow'> & { events: string; eventsUntilNow: string };

const totalsOf = (periods: string): string => `
  select contract_id as "contractId", period_idx as "periodIdx", feature_slug as slug, trim_scale(units)::text as units, events::text,
    trim_scale(marker)::text as marker, trim_scale(units_until_now)::text as "unitsUntilNow", events_until_now::text as "eventsUntilNow",
    trim_scale(marker_until_now)::text as "markerUntilNow"
  from (${usageSums(periods)}) sums order by contract_id, period_idx, feature_slug`;

const OF_OPEN = totalsOf(
  `select contract_id, idx, cut_at from unnest($1::text[], $2::timestamptz[]) as asked(contract_id, cut_at)
     join usage_period using (contract_id) where status <> 'closed'`,
);
const OF_GIVEN = totalsOf(`select * from jsonb_to_recordset($1::jsonb) as given(contract_id text, idx int, cut_at timestamptz)`);

/**
 * Totals of all periods not yet closed; `cuts` = for each contract the instant `…UntilNow` is read for. SQL: sums over
 * all events of a period, at every step of a contract.
 */
export async function usageOfOpenPeriods(tx: Queryable, cuts: ReadonlyMap<string, Instant>): Promise<UsageTotal[]> {
  const rows = await tx.query<TotalRow>(OF_OPEN, [[...cuts.keys()], [...cuts.values()].map(stamp)]);
  return rows.map(toTotal);
}

/** Totals of the given periods, whatever their state. */
export async function usageOfPeriods(
  tx: Queryable,
  periods: readonly { contractId: string; idx: number }[],
  now: Instant,
): Promise<UsageTotal[]> {
  if (periods.length === 0) return [];
  const given = JSON.stringify(periods.map(({ contractId, idx }) => ({ contract_id: contractId, idx, cut_at: stamp(now) })));
  return (await tx.query<TotalRow>(OF_GIVEN, [given])).map(toTotal);
}

const toTotal = (row: TotalRow): UsageTotal => ({ ...row, events: Number(row.events), eventsUntilNow: Number(row.eventsUntilNow) });
