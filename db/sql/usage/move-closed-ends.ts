import type { Effects } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const SQL = `
  update usage_period p set end_at = x.until, usage_until = x.until
  from unnest($1::text[], $2::int[], $3::timestamptz[]) as x(contract_id, idx, until)
  where p.contract_id = x.contract_id and p.idx = x.idx and p.status = 'closed' and p.usage_until is distinct from x.until`;

/**
 * Moves the ends of usage periods that were closed before their time. SQL: rules read no closed periods, and those of
 * all contracts that a freeze moves are written in one statement.
 */
export async function moveClosedEnds(tx: Queryable, ends: Effects['movedEnds']): Promise<void> {
  if (ends.length === 0) return;
  await tx.query(SQL, [ends.map(({ contractId }) => contractId), ends.map(({ idx }) => idx), ends.map(({ end }) => stamp(end))]);
}
