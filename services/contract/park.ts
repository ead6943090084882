import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS, USAGE_THRESHOLD } from '../../db/agenda/contract-kinds.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractHistory, ContractRecord } from '../../db/entities/contract.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const LONGEST = 500;

/** Sets a contract aside with the reason why it cannot go on; it waits to be resumed. */
export async function parkContract(tx: Tx, contractId: string, reason: string, at: Instant): Promise<void> {
  const parkedReason = reason.slice(0, LONGEST);
  const parked = await tx.em.nativeUpdate(ContractRecord, { id: contractId, parkedReason: null }, { parkedReason });
  if (parked === 0) return;
  await tx.em.nativeUpdate(Agenda, { contractId, kind: { $in: [...CONTRACT_KINDS] } }, { held: true });
  const { rootId } = await tx.em.findOneOrFail(ContractRecord, { id: contractId }, { fields: ['rootId'] });
  enqueue(tx, 'contract', rootId);
  await noteHistory(tx, contractId, at, 'parked', { reason: parkedReason });
}

/** Lets a parked contract go on; false when it wasn't parked. */
export async function unparkContract(tx: Tx, contractId: string, at: Instant): Promise<boolean> {
  const freed = await tx.em.nativeUpdate(ContractRecord, { id: contractId, parkedReason: { $ne: null } }, { parkedReason: null });
  // the rows of the lifecycle are replaced, a planned look at the invoice threshold stays
  if (freed > 0) await tx.em.nativeUpdate(Agenda, { contractId, kind: USAGE_THRESHOLD }, { held: false });
  if (freed > 0) await noteHistory(tx, contractId, at, 'resumed', {});
  return freed > 0;
}

/** What was asked of a contract, or happened to it, beside its events. */
export const CONTRACT_HISTORY_KINDS = [
  'cancel',
  'cancel_undo',
  'change_undo',
  'parked',
  'resumed',
  'dunning_ended',
  'payment_gate_opened',
  'payment_gate_ended',
] as const;
export type ContractHistoryKind = (typeof CONTRACT_HISTORY_KINDS)[number];

/** Adds an entry to a contract's timeline, which also shows its periods, invoices and events. */
export const noteHistory = (
  tx: Tx,
  contractId: string,
  at: Instant,
  kind: ContractHistoryKind,
  detail: Record<string, unknown>,
): Promise<void> => noteHistories(tx, [{ contractId, detail }], { at, kind });

/** The same for several contracts. */
export async function noteHistories(
  { em, caller }: Tx,
  entries: readonly { contractId: string; detail: Record<string, unknown> }[],
  what: { at: Instant; kind: ContractHistoryKind },
): Promise<void> {
  const by = { callerType: caller.type, callerId: caller.id };
  await em.insertMany(
    ContractHistory,
    entries.map((entry) => ({ ...entry, ...what, ...by })),
  );
}
