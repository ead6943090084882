import { type EntityName, type FilterObject, LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * How strongly a row is held until its transaction ends. `key share` keeps it from being deleted or frozen, and is what a foreign key takes on every
 * insert; `no key update` keeps others from changing it, yet lets foreign keys point at it; `update` waits for those as well.
 */
export type LockStrength = 'key share' | 'no key update' | 'update';

/** Options of a find that holds the row. Without `refresh` MikroORM would keep a value it knew where the row has become null. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/**
 * Finds an entity and holds its row in one statement: MikroORM's own lock modes know neither of the weaker two. What the manager knew of the entity
 * is brought to what the row says now.
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
