import type { Instant } from '../../billing/calendar/instant.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import { PaymentAttempt, type PaymentAttemptRecord } from '../../db/entities/payment.ts';
import { PaymentGate, type PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import type { ChangeInput } from '../contract/change.ts';
import type { SignBasis, SignContractInput } from '../contract/signing.ts';

/** What the payment of a gate makes, and what fixes it: the lines are those of its instant. */
export type GatedAct =
  | { kind: 'change'; input: ChangeInput; basis: ChangeBasis }
  | { kind: 'sign'; input: SignContractInput; basis: SignBasis };

/** What a gated change is computed from: all that was known at its instant. */
export interface ChangeBasis {
  instant: Instant;
  seed: string;
  /** fingerprints of what must not change meanwhile, and of what the change comes to */
  facts: string;
  lines: string;
  snapshot: ContractSnapshot;
}

/** What a gate was opened for; null once it has ended. */
export function actOf({ fromContractId, input, basis }: PaymentGateRecord): GatedAct | null {
  if (basis === null) return null;
  return { kind: fromContractId === null ? 'sign' : 'change', input, basis } as GatedAct;
}

/** The contract whose chain is locked for what happens to a gate. */
const lockedBy = ({ fromContractId, contractId }: PaymentGateRecord): string => fromContractId ?? contractId;

/** A gate by the contract that it makes; nothing is locked. */
export const readGate = ({ em }: Pick<Tx, 'em'>, contractId: string): Promise<PaymentGateRecord | null> =>
  em.findOne(PaymentGate, { contractId }, { refresh: true });

/**
 * Locks a gate, its contract and their chain and customer before it, in the one order. A transaction that ends a gate
 * has to call this before, so that only one transaction ends it.
 */
export async function lockGate(tx: Tx, contractId: string): Promise<PaymentGateRecord | null> {
  const seen = await readGate(tx, contractId);
  if (seen === null) return null;
  await lockContracts(tx, [lockedBy(seen)], 'wait');
  return lockGateRow(tx, contractId);
}

/** The same for several gates of one customer. */
export async function lockGates(tx: Tx, seen: readonly PaymentGateRecord[]): Promise<PaymentGateRecord[]> {
  await lockContracts(tx, seen.map(lockedBy), 'wait');
  const ids = seen.map(({ contractId }) => contractId);
  return tx.em.find(PaymentGate, { contractId: { $in: ids } }, { ...FOR_UPDATE, orderBy: { contractId: 'asc' } });
}

/** The attempt to pay a gate that is open; the database allows one. */
export const openAttemptOf = ({ em }: Pick<Tx, 'em'>, gateId: string, lock = {}): Promise<PaymentAttemptRecord | null> =>
  em.findOne(PaymentAttempt, { gateId, status: 'processing' }, lock);

/** Locks a gate whose chain is locked already. */
export const lockGateRow = ({ em }: Tx, contractId: string): Promise<PaymentGateRecord | null> =>
  em.findOne(PaymentGate, { contractId }, FOR_UPDATE);
