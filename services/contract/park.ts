import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS, USAGE_THRESHOLD } from '../../db/agenda/contract-kinds.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractHistory, ContractRecord } from '../../db/entities/contract.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const LONGEST = 500;

/** Sets a contract aside with the reason why it cannot go on; it waits to be resumed. */
export const parkContract = (tx: Tx, contractId: string, reason: string, at: Instant): Promise<void> =>
  parkContracts(tx, [{ contractId, reason }], at);

/** The same for many, by few statements: one more for each reason. */
export async function parkContracts(tx: Tx, failed: readonly { contractId: string; reason: string }[], at: Instant): Promise<void> {
  if (failed.length === 0) return;
  const reasons = new Map(failed.map(({ contractId, reason }) => [contractId, reason.slice(0, LONGEST)]));
  const where = { id: { $in: [...reasons.keys()] }, parkedReason: null };
  const going = await tx.em.find(ContractRecord, where, { ...FOR_UPDATE, fields: ['rootId'], orderBy: { id: 'asc' } });
  const parked = going.map(({ id: contractId, rootId }) => ({ contractId, rootId, reason: reasons.get(contractId) ?? '' }));
  if (parked.length === 0) return;
  for (const [parkedReason, some] of Map.groupBy(parked, ({ reason }) => reason))
    await tx.em.nativeUpdate(ContractRecord, { id: { $in: some.map(({ contractId }) => contractId) } }, { parkedReason });
  const ids = parked.map(({ contractId }) => contractId);
  await tx.em.nativeUpdate(Agenda, { contractId: { $in: ids }, kind: { $in: [...CONTRACT_KINDS] } }, { held: true });
  for (const { rootId } of parked) enqueue(tx, 'contract', rootId);
  await noteHistories(
    tx,
    parked.map(({ contractId, reason }) => ({ contractId, detail: { reason } })),
    { at, kind: 'parked' },
  );
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
