import type { AgendaKind, AgendaRow, Contract } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { stamp, upsertRows } from '../rows.ts';

/** What a contract itself can have due. Rows of other kinds (payments, sessions) may name the contract too and are left alone. */
export const CONTRACT_KINDS: readonly AgendaKind[] = [
  'usage_closing',
  'cancellation',
  'expiration',
  'scheduled_change',
  'trial_end',
  'activation',
  'boundary',
  'custom_charge',
];

/** Replaces the agenda rows of each contract by the given ones. */
export async function replaceAgenda(tx: Queryable, agenda: readonly { contract: Contract; rows: readonly AgendaRow[] }[]): Promise<void> {
  if (agenda.length === 0) return;
  const rows = agenda.flatMap(({ contract, rows: due }) =>
    due.map((row) => ({
      vendor_id: contract.vendorId,
      customer_id: contract.customerId,
      contract_id: contract.id,
      test_clock_id: contract.clockId,
      workflow_id: contract.rootId,
      held: contract.parkedReason !== null,
      kind: row.kind,
      subject: `${contract.id}/${row.subject}`,
      due_at: stamp(row.dueAt),
      detail: row.detail,
    })),
  );
  await tx.query(
    `delete from agenda where contract_id = any($1::text[]) and kind = any($2::text[])
       and (kind, subject) not in (select x.kind, x.subject from jsonb_to_recordset($3::jsonb) as x(kind text, subject text))`,
    [agenda.map(({ contract }) => contract.id), CONTRACT_KINDS, JSON.stringify(rows.map(({ kind, subject }) => ({ kind, subject })))],
  );
  await upsertRows(tx, 'agenda', ['kind', 'subject'], rows);
}
