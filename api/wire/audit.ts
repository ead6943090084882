import { iso } from '../../billing/calendar/instant.ts';
import type { ListedAudit } from '../../db/sql/audit/list.ts';
import { recordToWire } from './plain.ts';

export const auditToWire = ({ id, at, caller_type, caller_id, action, object_id, before, after }: ListedAudit) => ({
  id,
  at: iso(at),
  actor: { type: caller_type, id: caller_id },
  action,
  object: object_id,
  before: before === null ? null : recordToWire(withDates(before)),
  after: after === null ? null : recordToWire(withDates(after)),
});

/** A date-time as Postgres writes it into JSON. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/;

/** Columns that the wire calls by another name. */
const NAMES: Readonly<Record<string, string>> = { expires_at: 'expires', revoked_at: 'revoked', expiration_at: 'expiration' };

const withDates = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      NAMES[name] ?? name,
      typeof value === 'string' && STORED.test(value) ? iso(Date.parse(value)) : value,
    ]),
  );
