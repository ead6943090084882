import type { AgendaRow, Contract } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { replaceRows } from '../sql/agenda/replace.ts';
import { CONTRACT_KINDS, USAGE_THRESHOLD } from './contract-kinds.ts';

/** The agenda rows that a contract has from now on. */
export interface ContractAgenda {
  contract: Contract;
  rows: readonly AgendaRow[];
  /** its invoice threshold was looked at; a look that was planned otherwise still comes */
  isLookedAt: boolean;
}

/**
 * Replaces the agenda rows of each contract by the given ones.
 *
 * @returns the chains whose planned look at the invoice threshold is gone
 */
export async function replaceAgenda(tx: Queryable, agenda: readonly ContractAgenda[]): Promise<string[]> {
  if (agenda.length === 0) return [];
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
      remindAt: row.remindAt,
      detail: row.detail,
    })),
  );
  const contractIds = agenda.map(({ contract }) => contract.id);
  const notLookedAt = agenda.filter(({ isLookedAt }) => !isLookedAt).map(({ contract }) => contract.id);
  return replaceRows(tx, contractIds, CONTRACT_KINDS, entries, { kind: USAGE_THRESHOLD, keptBy: notLookedAt });
}
