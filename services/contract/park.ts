import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-rows.ts';
import type { Queryable } from '../../db/connect.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const LONGEST = 500;

/** Sets a contract aside with the reason why it cannot go on; it waits to be resumed. */
export async function parkContract(tx: Tx, contractId: string, reason: string, at: Instant): Promise<void> {
  const [parked] = await tx.query<{ root_id: string }>(
    `update contract set parked_reason = $2, version = version + 1 where id = $1 and parked_reason is null returning root_id`,
    [contractId, reason.slice(0, LONGEST)],
  );
  if (parked === undefined) return;
  await tx.query('update agenda set held = true where contract_id = $1 and kind = any($2::text[])', [contractId, CONTRACT_KINDS]);
  enqueue(tx, 'contract', parked.root_id);
  await noteHistory(tx, contractId, at, 'parked', { reason: reason.slice(0, LONGEST) });
}

/** Lets a parked contract go on; false when it wasn't parked. */
export async function unparkContract(tx: Queryable, contractId: string, at: Instant): Promise<boolean> {
  const freed = await tx.query(
    `update contract set parked_reason = null, version = version + 1 where id = $1 and parked_reason is not null returning id`,
    [contractId],
  );
  if (freed.length > 0) await noteHistory(tx, contractId, at, 'resumed', {});
  return freed.length > 0;
}

/** Adds to what the timeline tells of a contract, beside its periods, invoices and events. */
export async function noteHistory(
  tx: Queryable,
  contractId: string,
  at: Instant,
  kind: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await insertRows(tx, 'contract_history', [{ contract_id: contractId, at: stamp(at), kind, detail }]);
}
