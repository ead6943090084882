import type { AgendaKind, AgendaRow, Contract } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { replaceRows } from '../sql/agenda/replace.ts';

/** The row for a look at a contract's invoice threshold, once nothing holds early invoices back any more. */
export const USAGE_THRESHOLD = 'usage_threshold';

/**
 * The kinds of agenda rows of a contract itself. Rows of other kinds (payments, sessions) may name the contract too and
 * are left alone.
 */
export const CONTRACT_KINDS: readonly (AgendaKind | typeof USAGE_THRESHOLD)[] = [
  'usage_closing',
  'cancellation',
  'expiration',
  'trial_cancellation',
  'scheduled_change',
  'trial_end',
  'activation',
  'boundary',
  'custom_charge',
  'trial_ending',
  USAGE_THRESHOLD,
];

/** Replaces the agenda rows of each contract by the given ones. */
export async function replaceAgenda(tx: Queryable, agenda: readonly { contract: Contract; rows: readonly AgendaRow[] }[]): Promise<void> {
  if (agenda.length === 0) return;
  const entries = agenda.flatMap(({ contract, rows }) =>
    rows.map((row) => ({
      vendorId: contract.vendorId,
      customerId: contract.customerId,
      contractId: contract.id,
      clockId: contract.clockId,
      workflowId: contract.rootId,
      held: contract.parkedReason !== null,
      kind: row.kind,
      subject: `${contract.id}/${row.subject}`,
      dueAt: row.dueAt,
      wordAt: row.wordAt,
      detail: row.detail,
    })),
  );
  const contractIds = agenda.map(({ contract }) => contract.id);
  await replaceRows(tx, contractIds, CONTRACT_KINDS, entries);
}
