import type { Queryable } from '../../connect.ts';
import { type LockedElsewhere, lockWords } from '../lock.ts';

/** The customers among these that have limits. SQL, because only ids are looked at. */
export async function watchedOf(db: Queryable, customerIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>('select id from customer where id = any($1::text[]) and watched', [customerIds]);
  return new Set(rows.map(({ id }) => id));
}

const LOCK = 'select id from customer where id = any($1::text[]) and watched order by id for no key update';

/**
 * Locks the customers among these that have limits: all who count their usage or set a limit do so. SQL,
 * because it locks many in one order, and with `skip locked` leaves out those that others have locked.
 */
export async function lockWatched(tx: Queryable, customerIds: readonly string[], locked: LockedElsewhere): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(`${LOCK}${lockWords(locked)}`, [customerIds]);
  return new Set(rows.map(({ id }) => id));
}
