import { iso } from '../../billing/calendar/instant.ts';
import type { Cancellation, PendingChange, When } from '../../billing/contract/types.ts';
import type { ListedAudit } from '../../db/sql/audit/list.ts';
import { recordToWire } from './plain.ts';

type Fields = Record<string, unknown>;

export const auditToWire = ({ id, at, caller_type, caller_id, action, object_id, before, after }: ListedAudit) => ({
  id,
  at: iso(at),
  actor: { type: caller_type, id: caller_id },
  action,
  object: object_id,
  before: before === null ? null : fieldsToWire(before),
  after: after === null ? null : fieldsToWire(after),
});

/** A date-time as Postgres writes it into JSON. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/;

/** Columns that the wire calls by another name. */
const NAMES: Readonly<Record<string, string>> = { expires_at: 'expires', revoked_at: 'revoked', expiration_at: 'expiration' };

const fieldsToWire = (fields: Fields): Fields =>
  recordToWire(Object.fromEntries(Object.entries(fields).map(([name, value]) => [NAMES[name] ?? name, valueToWire(name, value)])));

function valueToWire(name: string, value: unknown): unknown {
  if (typeof value === 'string' && STORED.test(value)) return iso(Date.parse(value));
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'cancellation') return cancellationToWire(value as Cancellation);
  if (name === 'pending_change') return pendingToWire(value as PendingChange);
  return value;
}

/** In the words of the request that asked for it. */
const cancellationToWire = ({ when, credit, notes }: Cancellation): Fields => ({ when: whenToWire(when, 'end_of_cycle'), credit, notes });

const pendingToWire = ({ successorId, when, kind, isDowngrade }: PendingChange): Fields => ({
  ...{ successor_id: successorId, upgrade_strategy: kind, is_downgrade: isDowngrade },
  activation: whenToWire(when, 'next_cycle'),
});

/** @param boundary what the request calls the end of a cycle */
const whenToWire = (when: When, boundary: 'end_of_cycle' | 'next_cycle'): Fields =>
  when.type === 'boundary' ? { type: boundary } : { type: 'date', date: iso(when.at) };
