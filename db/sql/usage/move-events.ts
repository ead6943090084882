import type { Queryable } from '../../connect.ts';

const MOVE = `update usage_event set contract_id = $1, period_idx = x.idx from unnest($2::text[], $3::int[]) as x(id, idx) where usage_event.id = x.id`;
/** A marker that comes along is looked at for every later event of its period, as one that was reported there. */
const MARK = `update usage_period p set marked = true where p.contract_id = $1 and not p.marked
  and exists (select from usage_event e where e.contract_id = p.contract_id and e.period_idx = p.idx and e.is_absolute)`;

/**
 * Gives events to a contract, each in the period it lies in there. SQL: each event gets its own period, however many
 * there are.
 */
export async function moveEvents(tx: Queryable, contractId: string, events: readonly { id: string; idx: number }[]): Promise<void> {
  await tx.query(MOVE, [contractId, events.map(({ id }) => id), events.map(({ idx }) => idx)]);
  await tx.query(MARK, [contractId]);
}
