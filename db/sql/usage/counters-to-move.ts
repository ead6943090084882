import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** Which events a change moves: those after an instant, or in periods after one, without those of some features. */
export interface MoveFilter {
  fromContractId: string;
  after: Instant | null;
  afterIdx: number;
  except: readonly string[];
}

const SQL = `
  select u.period_idx as idx, u.feature_slug as slug
  from usage_counter u
  cross join lateral (
    select from usage_event e where e.contract_id = u.contract_id and e.period_idx = u.period_idx and e.feature_slug = u.feature_slug
      and e.timestamp > case when u.period_idx > $3 then '-infinity' else $2::timestamptz end
    limit 1
  ) e
  where u.contract_id = $1 and u.feature_slug <> all($4::text[])
  order by 1, 2`;

/**
 * The counters of a contract some of whose events a change moves. SQL: a table that may have millions of rows of a
 * contract is looked up by the contract's counters, so that only what moves is read.
 */
export const countersToMove = (
  tx: Queryable,
  { fromContractId, after, afterIdx, except }: MoveFilter,
): Promise<{ idx: number; slug: string }[]> =>
  tx.query<{ idx: number; slug: string }>(SQL, [fromContractId, stampOrNull(after), afterIdx, except]);
