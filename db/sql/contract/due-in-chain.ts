import type { Instant } from '../../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/**
 * Contracts of a chain with something due at or before an instant, in the order of their ids. SQL: a scan of the
 * agenda's index of due rows, at every wake-up of a chain.
 */
export async function dueInChain(tx: Queryable, chainId: string, upTo: Instant): Promise<string[]> {
  const rows = await tx.query<{ contractId: string }>(
    `select distinct a.contract_id as "contractId" from agenda a
     where a.workflow_id = $3 and a.due_at <= $1 and a.kind = any($2::text[]) and not a.held order by a.contract_id`,
    [stamp(upTo), CONTRACT_KINDS, chainId],
  );
  return rows.map(({ contractId }) => contractId);
}
