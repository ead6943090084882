import { type EntityName, type FilterObject, LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * How strongly a row is locked until its transaction ends. Under `key share` no other transaction deletes or freezes
 * it; a foreign key takes this lock on every insert. Under `no key update` no other transaction changes it, but rows
 * that refer to it may be inserted; `update` excludes those as well.
 */
export type LockStrength = 'key share' | 'no key update' | 'update';

/** What is done about rows that another transaction has locked: waited for, or left out. */
export type LockedElsewhere = 'wait' | 'skip';

/** SQL: what follows the strength of a lock. */
export const lockWords = (locked: LockedElsewhere): '' | ' skip locked' => (locked === 'wait' ? '' : ' skip locked');

/** Options of a find that locks the row. Without `refresh` a value that has become null would stay what it was. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/**
 * Finds an entity and locks its row in one statement: MikroORM's own lock modes know neither of the weaker two. The
 * entity is refreshed by the row as it is now.
 */
export async function lockOne<E extends object>(
  em: EntityManager,
  entity: EntityName<E>,
  where: FilterObject<NoInfer<E>>,
  strength: LockStrength,
): Promise<E | null> {
  const { sql, params } = em.createQueryBuilder(entity).select('*').where(where).toQuery();
  const [row] = await em.execute<Record<string, unknown>[]>(`${sql} for ${strength}`, [...params]);
  return row === undefined ? null : em.map(entity, row as never);
}
