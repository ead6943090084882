import { randomBytes } from 'node:crypto';
import { type ChangePlan, planChange } from '../../billing/contract/change/change.ts';
import type { ChangeRequest } from '../../billing/contract/change/change-request.ts';
import { waitingSuccessor } from '../../billing/contract/change/waiting-successor.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId, seededIds } from '../../db/id.ts';
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
import { type ContractCall, lockContract, requireCallable } from '../contract/decide.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { contractRow } from '../contract/write.ts';
import { requireNotBeingPaid } from './being-paid.ts';
import { dropGate } from './end.ts';
import type { ChangeBasis } from './gate.ts';
import { type GateTerms, openGate, toCollect } from './open.ts';

/** What a gated call has come to: the contract, and the attempt that it waits for; null: nothing was to be paid. */
export interface Gated {
  contractId: string;
  attemptId: string | null;
}

/**
 * Changes a contract once it is paid. Where the change has nothing to collect now, it is made at once. Otherwise a gate
 * is opened, which replaces the one that was open for this contract; everything else of the contract stays as it is.
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
  const { snapshot, now } = await lockContract(tx, call);
  requireCallable(snapshot);
  const { gate } = snapshot.contract;
  if (gate !== null) await requireNotBeingPaid(tx, gate);
  const { before, at } = await computeChange(tx, snapshot, input, estimate, { now, newId });
  const request = await readChangeRequest(tx, snapshot, input, () => usageOwnersOf(tx, [snapshot.contract.customerId]));
  const fixed = fixedChange(before, request, { instant: at, seed: estimate?.seed ?? randomBytes(16).toString('hex') });
  const due = await toCollect(tx, snapshot.contract, fixed.plan.outcome.effects);
  if (due === null) return { contractId: await changeContract(tx, call, input, estimate), attemptId: null };
  if (gate !== null) await dropGate(tx, gate.contractId, { reason: 'replaced', at: now });
  const contract = waitingContract(fixed.plan);
  await insertMany(tx, ContractRecord, [contractRow(contract, snapshot.customer.pauses)]);
  const attemptId = await openGate(tx, terms, {
    ...due,
    contract,
    fromContractId: snapshot.contract.id,
    act: { kind: 'change', input, basis: fixed.basis },
    now,
  });
  return { contractId: contract.id, attemptId };
}

/** The change as its payment will make it, from the facts as they can be kept. */
function fixedChange(
  before: ContractSnapshot,
  request: ChangeRequest,
  { instant, seed }: Pick<ChangeBasis, 'instant' | 'seed'>,
): { plan: ChangePlan; basis: ChangeBasis } {
  const snapshot = JSON.parse(JSON.stringify(before)) as ContractSnapshot;
  const plan = planChange(snapshot, request, instant, seededIds(seed, instant));
  return { plan, basis: { instant, seed, facts: gatedFacts(before, request), lines: linesFingerprint(plan), snapshot } };
}

/**
 * One value for all that a gated change must find as it was: the contract, the freezes and taxes of its customer, and
 * what is sold. Usage goes on meanwhile.
 */
export const gatedFacts = ({ contract, customer, tax }: ContractSnapshot, request: ChangeRequest): string =>
  fingerprintOf([{ ...contract, gate: null }, customer.pauses, tax, request]);

function waitingContract({ outcome, newContractId }: ChangePlan): Contract {
  const fresh = outcome.effects.contracts.find(({ id }) => id === newContractId);
  if (fresh === undefined) throw new Error(`the change makes no contract ${newContractId}`);
  return waitingSuccessor(fresh);
}
