import { type ChangePlan, planChange } from '../../billing/contract/change/change.ts';
import type { ChangeRequest } from '../../billing/contract/change/change-request.ts';
import { waitingSuccessor } from '../../billing/contract/change/waiting-successor.ts';
import { requireCallable } from '../../billing/contract/terms/require.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId, newSeed, seededIds } from '../../db/id.ts';
import { usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  type ChangeInput,
  changeContract,
  computeChange,
  type EstimateBasis,
  linesFingerprint,
  readChangeRequest,
} from '../contract/change.ts';
import { type ContractCall, type LockedContract, lockContract } from '../contract/decide.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { writeUsageOwners } from '../contract/usage-owners.ts';
import { contractRow } from '../contract/write.ts';
import { requireNotBeingPaid } from './being-paid.ts';
import { dropGate } from './end.ts';
import { type ChangeBasis, openAttemptOf, readGate } from './gate.ts';
import { type GateTerms, openGate, toCollect } from './open.ts';

/** What a gated call has come to: the contract, and the attempt that it waits for; null: nothing was to be paid. */
export interface Gated {
  contractId: string;
  attemptId: string | null;
}

/**
 * Changes a contract once it is paid. Where the change has nothing to collect now, it is made at once. Otherwise a gate
 * is opened, which replaces the one that was open for this contract; everything else of the contract stays as it is.
 * The same estimate leads to the same gate while that waits.
 *
 * @throws Refusal as `changeContract`, `payment_method_state`
 */
export async function openGatedChange(
  tx: Tx,
  call: ContractCall,
  input: ChangeInput,
  estimate: EstimateBasis | null,
  terms: GateTerms,
): Promise<Gated> {
  const locked = await lockContract(tx, call);
  const { snapshot, now } = locked;
  requireCallable(snapshot);
  const { gate } = snapshot.contract;
  if (gate !== null && gate.contractId === estimate?.newContractId)
    return { contractId: gate.contractId, attemptId: (await openAttemptOf(tx, gate.contractId))?.id ?? null };
  if (gate !== null) await requireNotBeingPaid(tx, gate);
  const { plan, basis } = await fixChange(tx, locked, input, estimate);
  if (gate !== null) await dropGate(tx, gate.contractId, { reason: 'replaced', at: now });
  const due = await toCollect(tx, snapshot.contract, plan.outcome.effects);
  if (due === null) return { contractId: await changeContract(tx, call, input, estimate), attemptId: null };
  const contract = waitingContract(plan);
  await insertMany(tx, ContractRecord, [contractRow(contract, snapshot.customer.pauses)]);
  await writeUsageOwners(tx, [contract]);
  const fromContractId = snapshot.contract.id;
  const attemptId = await openGate(tx, terms, { ...due, contract, fromContractId, act: { kind: 'change', input, basis }, now });
  return { contractId: contract.id, attemptId };
}

/**
 * The change as its payment will make it, from the facts as they can be kept. Its ids are those of the estimate, unless
 * a gate that has ended had them.
 */
async function fixChange(
  tx: Tx,
  { snapshot, now }: LockedContract,
  input: ChangeInput,
  estimate: EstimateBasis | null,
): Promise<{ plan: ChangePlan; basis: ChangeBasis }> {
  const { before, at: instant } = await computeChange(tx, snapshot, input, estimate, { now, newId });
  const request = await readChangeRequest(tx, snapshot, input, () => usageOwnersOf(tx, [snapshot.contract.customerId]));
  const isFirst = estimate !== null && (await readGate(tx, estimate.newContractId)) === null;
  const seed = isFirst ? estimate.seed : newSeed();
  const kept = JSON.parse(JSON.stringify(before)) as ContractSnapshot;
  const plan = planChange(kept, request, instant, seededIds(seed, instant));
  return { plan, basis: { instant, seed, facts: gatedFacts(before, request), lines: linesFingerprint(plan), snapshot: kept } };
}

/**
 * One value for all that a gated change must find as it was, from the snapshot of its instant: the contract, the
 * freezes and taxes of its customer, lines that it may give back with what credit notes took off them, lines that wait
 * for an invoice, and what is sold. Usage goes on meanwhile.
 */
export const gatedFacts = ({ contract, customer, tax, running, waiting }: ContractSnapshot, request: ChangeRequest): string =>
  fingerprintOf([{ ...contract, gate: null }, customer.pauses, tax, running, waiting, request]);

function waitingContract({ outcome, newContractId }: ChangePlan): Contract {
  const fresh = outcome.effects.contracts.find(({ id }) => id === newContractId);
  if (fresh === undefined) throw new Error(`the change makes no contract ${newContractId}`);
  return waitingSuccessor(fresh);
}
