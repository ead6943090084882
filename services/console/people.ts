import type { Database } from '../../db/connect.ts';
import { Person } from '../../db/entities/vendor.ts';

/** Names of those of a vendor's people who are among some ids, of a page of a list for example. */
export async function namesOfPeople(db: Database, vendorId: string, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const asked = [...new Set(ids.filter((id) => id?.startsWith('Person_') === true))];
  if (asked.length === 0) return new Map();
  const people = await db.em().find(Person, { vendorId, id: { $in: asked } }, { fields: ['id', 'name'] });
  return new Map(people.map(({ id, name }) => [id, name]));
}
