import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { upsertRows } from '../rows.ts';

/** Something that falls due, and the workflow that waits for it. */
export interface AgendaEntry {
  vendorId: string;
  customerId: string;
  contractId: string | null;
  clockId: string | null;
  workflowId: string;
  /** can't run now */
  held: boolean;
  kind: string;
  subject: string;
  dueAt: Instant;
  /** when a reminder is sent of what this brings */
  remindAt?: Instant | null;
  detail: object;
}

/**
 * Writes rows of the agenda; one of the same kind and subject is brought to what it is now. SQL, because contracts of a
 * batch write their rows in one statement.
 */
export async function upsertAgenda(tx: Queryable, entries: readonly AgendaEntry[]): Promise<void> {
  await upsertRows(tx, 'agenda', ['kind', 'subject'], entries.map(agendaRow));
}

const agendaRow = (entry: AgendaEntry) => ({
  vendor_id: entry.vendorId,
  customer_id: entry.customerId,
  contract_id: entry.contractId,
  test_clock_id: entry.clockId,
  workflow_id: entry.workflowId,
  held: entry.held,
  kind: entry.kind,
  subject: entry.subject,
  due_at: stamp(entry.dueAt),
  remind_at: entry.remindAt == null ? null : stamp(entry.remindAt),
  detail: entry.detail,
});

/** Rows of the agenda as the JSON of a statement's parameter. */
export const agendaJson = (entries: readonly AgendaEntry[]): string => JSON.stringify(entries.map(agendaRow));
