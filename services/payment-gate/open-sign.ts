import { waitingContract } from '../../billing/contract/terms/waiting-contract.ts';
import { newSeed } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { insertWaiting, signContract } from '../contract/sign.ts';
import { planSigningAhead, readSignRequest, requireAsEstimated, type SignBasis, type SignContractInput } from '../contract/signing.ts';
import { lockCustomer } from '../customer/lock.ts';
import { readGate } from './gate.ts';
import { type GateTerms, openGate, toCollect } from './open.ts';
import type { Gated } from './open-change.ts';

/**
 * Signs a contract once it is paid. Where the signing has nothing to collect now, it happens at once. Otherwise the
 * contract is `pending` behind a gate, and holds the place of its plan and its usage features.
 *
 * @throws Refusal as `signContract`, `payment_method_state`
 */
export async function openGatedSigning(tx: Tx, input: SignContractInput, estimate: SignBasis | null, terms: GateTerms): Promise<Gated> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId);
  const request = await readSignRequest(tx, input, customer);
  if (estimate !== null) await requireAsEstimated(tx, request, customer, estimate);
  const plan = (seed: string) => planSigningAhead(tx, request, customer, { instant: estimate?.instant ?? customer.now, seed });
  const first = await plan(estimate?.seed ?? newSeed());
  // the ids of the estimate, unless a gate that has ended had them
  const { contract, outcome, basis } = (await readGate(tx, first.contract.id)) === null ? first : await plan(newSeed());
  const due = await toCollect(tx, contract, outcome.effects);
  if (due === null) return { contractId: await signContract(tx, input, estimate), attemptId: null };
  const waiting = waitingContract(contract);
  await insertWaiting(tx, waiting, customer.pauses);
  const gate = { ...due, contract: waiting, fromContractId: null, act: { kind: 'sign' as const, input, basis }, now: customer.now };
  return { contractId: waiting.id, attemptId: await openGate(tx, terms, gate) };
}
