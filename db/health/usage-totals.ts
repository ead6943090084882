import type { Queryable } from '../connect.ts';
import type { PartKey } from '../sql/usage/part.ts';
import { usageSums } from '../sql/usage/sum.ts';

/** A feature whose kept total differs from the sum of its period's events. */
export interface WrongTotal extends PartKey {
  slug: string;
  kept: string;
  counted: string;
}

/** Older periods are charged, and their events may have been archived. */
const CLOSED_DAYS = 60;
const PERIODS_AT_ONCE = 500;

const PAGE = `select contract_id as "contractId", idx from usage_period
  where (contract_id, idx) > ($1, $2) and (status <> 'closed' or closed_at > now() - interval '${CLOSED_DAYS} days')
  order by contract_id, idx limit ${PERIODS_AT_ONCE}`;

const shown = (of: string, units: string, events: string): string =>
  `concat(coalesce(trim_scale(${of}.${units}), 0), ' in ', coalesce(${of}.${events}, 0), ' of ', coalesce(${of}.listed, 0), ' events',
    ', marker ' || trim_scale(${of}.marker))`;

const WRONG = `
  with given as (select * from unnest($1::text[], $2::int[]) as given(contract_id, idx)),
  kept as (
    select u.* from given join usage_counter u on u.contract_id = given.contract_id and u.period_idx = given.idx
    where u.own_events <> 0 or u.own_units <> 0 or u.listed <> 0
  ),
  reported as (
    select e.contract_id, e.period_idx, e.feature_slug, count(*) as listed
    from given join usage_event e on e.contract_id = given.contract_id and e.period_idx = given.idx group by 1, 2, 3
  ),
  counted as (
    select * from reported
    left join (${usageSums('select contract_id, idx, null::timestamptz as cut_at from given')}) sums using (contract_id, period_idx, feature_slug)
  )
  select contract_id as "contractId", period_idx as idx, feature_slug as slug,
    ${shown('kept', 'own_units', 'own_events')} as kept, ${shown('counted', 'units', 'events')} as counted
  from kept full join counted using (contract_id, period_idx, feature_slug)
  where (coalesce(kept.own_units, 0), coalesce(kept.own_events, 0), coalesce(kept.listed, 0), kept.marker)
    is distinct from (coalesce(counted.units, 0), coalesce(counted.events, 0), coalesce(counted.listed, 0), counted.marker)
  order by 1, 2, 3`;

/**
 * The usage totals of open periods, and of those closed in the last days, that differ from the sum of their events. One
 * statement checks a few hundred periods; it is one snapshot, so usage that arrives meanwhile is in both numbers or in
 * neither.
 */
export async function wrongUsageTotals(db: Queryable): Promise<WrongTotal[]> {
  const wrong: WrongTotal[] = [];
  let last: PartKey = { contractId: '', idx: -1 };
  for (;;) {
    const page = await db.query<PartKey>(PAGE, [last.contractId, last.idx]);
    const end = page.at(-1);
    if (end === undefined) return wrong;
    wrong.push(...(await db.query<WrongTotal>(WRONG, [page.map(({ contractId }) => contractId), page.map(({ idx }) => idx)])));
    last = end;
  }
}
