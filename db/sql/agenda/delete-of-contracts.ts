import type { Queryable } from '../../connect.ts';
import type { AgendaEntry } from './upsert.ts';

/**
 * Takes rows of some kinds off the agenda of contracts, except those given. SQL, because contracts of a batch lose
 * their rows in one statement.
 */
export async function deleteOfContracts(
  tx: Queryable,
  contractIds: readonly string[],
  kinds: readonly string[],
  but: readonly Pick<AgendaEntry, 'kind' | 'subject'>[],
): Promise<void> {
  await tx.query(
    `delete from agenda where contract_id = any($1::text[]) and kind = any($2::text[])
       and (kind, subject) not in (select x.kind, x.subject from jsonb_to_recordset($3::jsonb) as x(kind text, subject text))`,
    [contractIds, kinds, JSON.stringify(but.map(({ kind, subject }) => ({ kind, subject })))],
  );
}
