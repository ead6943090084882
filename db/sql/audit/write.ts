import type { AuditedCall } from '../../audited-call.ts';
import type { Queryable } from '../../connect.ts';
import { newId } from '../../id.ts';

/** Fields of requests that open something, or are of no meaning to a reader. */
const LEFT_OUT = new Set(['api_key', 'estimate_token', 'id', 'key', 'password', 'secret', 'token']);

/**
 * Appends to the audit log, in the transaction of the facts. SQL, because a row takes what the triggers have kept of
 * its object, and a group of requests is written in one statement.
 */
export async function writeAudit(tx: Queryable, calls: readonly AuditedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await tx.query(
    `insert into audit (id, vendor_id, caller_type, caller_id, action, object_id, before, after)
     select x.id, x.vendor_id, x.caller_type, x.caller_id, x.action, x.object_id, kept.before,
       nullif(coalesce(x.asked, '{}') || coalesce(kept.after, '{}'), '{}')
     from jsonb_to_recordset($1::jsonb) as x(position int, id text, vendor_id text, caller_type text, caller_id text, action text,
       object_id text, asked jsonb)
     cross join lateral (select nullif(nullif(current_setting('perennial.audited_before', true), '')::jsonb -> x.object_id, '{}') as before,
       nullif(current_setting('perennial.audited_after', true), '')::jsonb -> x.object_id as after) kept
     order by x.position`,
    [JSON.stringify(calls.map(rowOf))],
  );
}

const rowOf = ({ vendorId, caller, action, object, asked }: AuditedCall, position: number) => ({
  position,
  id: newId('Audit'),
  vendor_id: vendorId,
  caller_type: caller.type,
  caller_id: caller.id,
  action,
  object_id: object ?? vendorId,
  asked: asked === null ? null : Object.fromEntries(Object.entries(asked).filter(([field]) => !LEFT_OUT.has(field))),
});
