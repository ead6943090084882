import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { periodIdxAt } from '../../billing/contract/periods.ts';
import type { Contract, UsageHandover } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';

interface EventRow {
  id: string;
  timestamp: number;
}

/**
 * Gives the events after the instant of a change, and those counted in periods that never began, to the contract that follows, each in the
 * period it lies in by the calendar. Only events reported a little ahead of time are concerned, so there are few.
 */
export async function handOver(
  tx: Queryable,
  handovers: readonly UsageHandover[],
  contractOf: (id: string) => { contract: Contract; pauses: Pause[] },
): Promise<void> {
  for (const { fromContractId, toContractId, after, afterIdx, except } of handovers) {
    const events = await tx.query<EventRow>(
      'select id, timestamp from usage_event where contract_id = $1 and (timestamp > $2 or period_idx > $3) and feature_slug <> all($4::text[])',
      [fromContractId, after === null ? null : iso(after), afterIdx, except],
    );
    if (events.length === 0) continue;
    const { contract, pauses } = contractOf(toContractId);
    await tx.query(
      `update usage_event set contract_id = $1, period_idx = x.idx from unnest($2::text[], $3::int[]) as x(id, idx) where usage_event.id = x.id`,
      [toContractId, events.map((event) => event.id), events.map((event) => periodIdxAt(contract, pauses, event.timestamp))],
    );
    await markPeriods(tx, toContractId);
    await recount(tx, [fromContractId, toContractId]);
  }
}

/** A marker that comes along is looked at for every later event of its period, as one that was reported there. */
async function markPeriods(tx: Queryable, contractId: string): Promise<void> {
  await tx.query(
    `update usage_period p set marked = true where p.contract_id = $1 and not p.marked
       and exists (select from usage_event e where e.contract_id = p.contract_id and e.period_idx = p.idx and e.is_absolute)`,
    [contractId],
  );
}

/** Counters of open periods anew from their events. */
async function recount(tx: Queryable, contractIds: readonly string[]): Promise<void> {
  await tx.query('delete from usage_counter where contract_id = any($1::text[])', [contractIds]);
  await tx.query(
    `insert into usage_counter (contract_id, period_idx, feature_slug, units, events)
     select e.contract_id, e.period_idx, e.feature_slug,
       coalesce(max(m.units), 0) + coalesce(sum(e.units) filter (where not e.is_absolute and (m.timestamp is null or e.timestamp >= m.timestamp)), 0),
       count(*)
     from usage_event e
     left join lateral (
       select units, timestamp from usage_event a
       where a.contract_id = e.contract_id and a.period_idx = e.period_idx and a.feature_slug = e.feature_slug and a.is_absolute and a.discarded_at is null
       order by timestamp desc, seq desc limit 1
     ) m on true
     where e.contract_id = any($1::text[]) and e.discarded_at is null
     group by e.contract_id, e.period_idx, e.feature_slug`,
    [contractIds],
  );
}
