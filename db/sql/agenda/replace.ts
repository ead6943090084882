import type { Queryable } from '../../connect.ts';
import { type AgendaEntry, agendaJson } from './upsert.ts';

const SQL = `with given as (
    select * from json_populate_recordset(null::agenda, $3::json)
  ), gone as (
    delete from agenda where contract_id = any($1::text[]) and kind = any($2::text[])
      and (kind, subject) not in (select kind, subject from given) and not (kind = $4 and contract_id = any($5::text[]))
  )
  insert into agenda (vendor_id, customer_id, contract_id, test_clock_id, workflow_id, held, kind, subject, due_at, word_at, detail)
  select vendor_id, customer_id, contract_id, test_clock_id, workflow_id, held, kind, subject, due_at, word_at, detail from given
  on conflict (kind, subject) do update set vendor_id = excluded.vendor_id, customer_id = excluded.customer_id,
    contract_id = excluded.contract_id, test_clock_id = excluded.test_clock_id, workflow_id = excluded.workflow_id,
    held = excluded.held, due_at = excluded.due_at,
    word_at = case when agenda.due_at = excluded.due_at then agenda.word_at else excluded.word_at end, detail = excluded.detail`;

/**
 * Makes these the rows of some kinds that contracts have on the agenda. SQL, because contracts of a batch lose and get
 * their rows in one statement; it deletes none that it writes.
 * A row whose instant stays keeps what was sent of it.
 *
 * @param kept rows of these contracts that stay as they are
 */
export async function replaceRows(
  tx: Queryable,
  contractIds: readonly string[],
  kinds: readonly string[],
  entries: readonly AgendaEntry[],
  kept: { kind: string; contractIds: readonly string[] },
): Promise<void> {
  await tx.query(SQL, [contractIds, kinds, agendaJson(entries), kept.kind, kept.contractIds]);
}
