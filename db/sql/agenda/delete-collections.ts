import type { Queryable } from '../../connect.ts';
import type { AgendaEntry } from './upsert.ts';

/**
 * Takes the collections of invoices off the agenda, and what is left to plan of customers, except those given. SQL,
 * because a bill run plans the payments of many invoices in one statement.
 *
 * @param subjects invoices and customers
 * @returns the workflows that waited for them
 */
export async function deleteCollections(
  tx: Queryable,
  subjects: readonly string[],
  but: readonly Pick<AgendaEntry, 'kind' | 'subject'>[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from agenda where kind in ('payment_due', 'payment_retry', 'dunning_end', 'payment_rest') and subject = any($1::text[])
       and (kind, subject) not in (select x.kind, x.subject from jsonb_to_recordset($2::jsonb) as x(kind text, subject text))
     returning workflow_id as id`,
    [subjects, JSON.stringify(but.map(({ kind, subject }) => ({ kind, subject })))],
  );
  return rows.map(({ id }) => id);
}
