import type { Queryable } from '../connect.ts';
import { Where } from '../list/where.ts';

export interface VisitorHints {
  id?: string | null | undefined;
  email?: string | null | undefined;
  reference?: string | null | undefined;
}

/** The customers all given hints fit, two at most: more need not be told apart. E-mails fit under any label, in any case. */
export async function findVisitors(db: Queryable, vendorId: string, { id, email, reference }: VisitorHints): Promise<string[]> {
  const where = new Where()
    .and('vendor_id = ?', vendorId)
    .andGiven('id = ?', id || null)
    .andGiven('email_keys @> array[lower(?)]', email || null)
    .andGiven('customer_reference = ?', reference || null);
  const rows = await db.query<{ id: string }>(`select id from customer where ${where.sql} order by id limit 2`, where.params);
  return rows.map((row) => row.id);
}

/** Of the hints given those that fit nobody by themselves. */
export async function unknownHints(db: Queryable, vendorId: string, hints: VisitorHints): Promise<(keyof VisitorHints)[]> {
  const unknown: (keyof VisitorHints)[] = [];
  for (const hint of ['id', 'email', 'reference'] as const)
    if (hints[hint] && (await findVisitors(db, vendorId, { [hint]: hints[hint] })).length === 0) unknown.push(hint);
  return unknown;
}
