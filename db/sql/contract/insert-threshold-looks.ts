import type { Instant } from '../../../billing/calendar/instant.ts';
import { USAGE_THRESHOLD } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { WITH_THRESHOLD } from './with-threshold.ts';

/**
 * Puts a look at the invoice threshold on the agenda of those contracts that have one. SQL, because most have none: the
 * one statement finds them and writes their rows.
 *
 * @returns the chains that have such a row now
 */
export async function insertThresholdLooks(tx: Queryable, contractIds: readonly string[], at: Instant): Promise<string[]> {
  const rows = await tx.query<{ rootId: string }>(
    `insert into agenda (vendor_id, customer_id, contract_id, test_clock_id, workflow_id, held, kind, subject, due_at, detail)
     select t.vendor_id, t.customer_id, t.id, t.test_clock_id, t.root_id, t.parked_reason is not null, $2, t.id, $3, '{}'
     from contract t where t.id = any($1::text[]) and ${WITH_THRESHOLD} order by t.id
     on conflict (kind, subject) do update set due_at = excluded.due_at
     returning workflow_id as "rootId"`,
    [contractIds, USAGE_THRESHOLD, stamp(at)],
  );
  return rows.map(({ rootId }) => rootId);
}
