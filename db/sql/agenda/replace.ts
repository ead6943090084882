import type { Queryable } from '../../connect.ts';
import { besideKey } from '../beside-key.ts';
import { type AgendaEntry, agendaJson } from './upsert.ts';

const SQL = `with given as (
    select * from json_populate_recordset(null::agenda, $3::json)
  ), gone as (
    delete from agenda where contract_id = any($1::text[]) and ${besideKey('kind = any($2::text[])')}
      and (kind, subject) not in (select kind, subject from given) and not (kind = $4 and contract_id = any($5::text[]))
    returning kind, workflow_id
  ), written as (
    insert into agenda (vendor_id, customer_id, contract_id, test_clock_id, workflow_id, held, kind, subject, due_at, remind_at, detail)
    select vendor_id, customer_id, contract_id, test_clock_id, workflow_id, held, kind, subject, due_at, remind_at, detail from given
    on conflict (kind, subject) do update set vendor_id = excluded.vendor_id, customer_id = excluded.customer_id,
      contract_id = excluded.contract_id, test_clock_id = excluded.test_clock_id, workflow_id = excluded.workflow_id,
      held = excluded.held, due_at = excluded.due_at,
      remind_at = case when agenda.due_at = excluded.due_at then agenda.remind_at else excluded.remind_at end, detail = excluded.detail
  )
  select workflow_id as "rootId" from gone where kind = $4`;

/**
 * Makes these the rows of some kinds that contracts have on the agenda. SQL, because contracts of a batch lose and get
 * their rows in one statement; it deletes none that it writes. A row whose instant stays the same keeps the note
 * whether a reminder of it was sent.
 *
 * @param planned a kind whose rows are planned elsewhere, and the contracts that keep theirs
 * @returns the chains that have lost a row of that kind
 */
export async function replaceRows(
  tx: Queryable,
  contractIds: readonly string[],
  kinds: readonly string[],
  entries: readonly AgendaEntry[],
  planned: { kind: string; keptBy: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ rootId: string }>(SQL, [contractIds, kinds, agendaJson(entries), planned.kind, planned.keptBy]);
  return rows.map(({ rootId }) => rootId);
}
