import type { Asker, AuditedCall } from '../../db/audited-call.ts';
import type { Tx } from '../../db/connect.ts';
import type { KeyRecord } from '../../db/vendor-account/api-key.ts';
import { AnyId } from '../schema/common.ts';
import { callerOf } from './caller.ts';
import type { Input } from './context.ts';
import { ApiResponse, LaterResponse, type Route } from './route.ts';

const isId = (value: unknown): value is string => AnyId.safeParse(value).success;

/** Who sends a request, and the call as the audit log will name it; without one where nothing is changed. */
export function askerOf(route: Route, key: KeyRecord | null, { params, body }: Input): Asker {
  const caller = callerOf({ apiKeyId: key?.id ?? '' });
  if (key === null || route.method === 'get' || route.unaudited !== undefined) return { caller };
  const asked = (body ?? {}) as Record<string, unknown>;
  const named = Object.values(params as object).findLast(isId) ?? (isId(asked.id) ? asked.id : null);
  // preferences are the vendor's own
  const object = named ?? (route.tag === 'Preferences' ? key.vendorId : null);
  return { caller, audit: { vendorId: key.vendorId, caller, action: route.operationId, object, asked } };
}

/** Names what a call has made, where its path names nothing: one entry for each. */
export function nameMade(tx: Tx, outcome: unknown): void {
  const [call] = tx.audited;
  if (call === undefined || call.object !== null) return;
  const made = madeBy(outcome).map((object): AuditedCall => ({ ...call, object }));
  if (made.length > 0) tx.audited.splice(0, 1, ...made);
}

function madeBy(outcome: unknown): string[] {
  if (outcome instanceof LaterResponse) return [outcome.effect].filter(isId);
  const body: unknown = outcome instanceof ApiResponse ? outcome.body : outcome;
  if (Array.isArray(body)) return body.filter(isId);
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : body;
  return isId(id) ? [id] : [];
}
