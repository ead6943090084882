import type { Queryable } from '../../connect.ts';
import { nameOfReached, type ReachedPlace } from './note-reached.ts';

/** The names of the steps that were announced in some places. SQL: a page of keys, of which only ids are read. */
export async function reachedSteps(tx: Queryable, watchIds: readonly string[], places: readonly string[]): Promise<Set<string>> {
  if (watchIds.length === 0) return new Set();
  const rows = await tx.query<ReachedPlace>(
    `select watch_id as "watchId", place, step from usage_alert_reached where watch_id = any($1::text[]) and place = any($2::text[])`,
    [watchIds, places],
  );
  return new Set(rows.map(nameOfReached));
}
