import type { Queryable } from '../../connect.ts';

/** A step, and where it was reached: in a usage period, a day or an hour. */
export interface ReachedPlace {
  watchId: string;
  place: string;
  step: string;
}

/** Names a step in its place. */
export const nameOfReached = ({ watchId, place, step }: ReachedPlace): string => `${watchId} ${place} ${step}`;

/**
 * Notes steps that were reached. The caller has locked their customers. SQL: one statement for many, which says itself
 * what is new; what is known already is looked up first, since most usage comes after a step was reached.
 *
 * @returns the names of those that were not reached before in their place
 */
export async function noteReached(tx: Queryable, reached: readonly ReachedPlace[]): Promise<Set<string>> {
  if (reached.length === 0) return new Set();
  const rows = await tx.query<ReachedPlace>(
    `insert into usage_alert_reached (watch_id, place, step)
     select distinct k.watch_id, k.place, k.step from unnest($1::text[], $2::text[], $3::text[]) as k(watch_id, place, step)
     where not exists (select from usage_alert_reached r where r.watch_id = k.watch_id and r.place = k.place and r.step = k.step)
     on conflict do nothing returning watch_id as "watchId", place, step`,
    [reached.map(({ watchId }) => watchId), reached.map(({ place }) => place), reached.map(({ step }) => step)],
  );
  return new Set(rows.map(nameOfReached));
}
