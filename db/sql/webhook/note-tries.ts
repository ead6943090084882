import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** One try to send an event. */
export interface NotedTry {
  eventId: string;
  at: Instant;
  attempt: number;
  status: 'delivered' | 'failed' | 'skipped';
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  answer: string | null;
}

/** Appends to the log of deliveries. SQL, because a round notes dozens of tries in one statement. */
export async function noteTries(tx: Queryable, endpointId: string, tries: readonly NotedTry[]): Promise<void> {
  if (tries.length === 0) return;
  const rows = tries.map(({ eventId, at, attempt, status, statusCode, durationMs, error, answer }) => ({
    event_id: eventId,
    at: stamp(at),
    attempt,
    status,
    status_code: statusCode,
    duration_ms: durationMs,
    error,
    answer,
  }));
  await tx.query(
    `insert into webhook_try (endpoint_id, event_id, at, attempt, status, status_code, duration_ms, error, answer)
     select $1, x.event_id, x.at, x.attempt, x.status, x.status_code, x.duration_ms, x.error, x.answer
     from json_to_recordset($2::json) as x(event_id text, at timestamptz, attempt int, status text, status_code int, duration_ms int, error text, answer text)`,
    [endpointId, JSON.stringify(rows)],
  );
}
