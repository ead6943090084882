import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { firstStep, justSigned } from '../../billing/contract/estimate/first-step.ts';
import { isLive } from '../../billing/contract/period/time.ts';
import type { Signed } from '../../billing/contract/terms/sign.ts';
import type { Contract, ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import { BillingError, type FieldProblem } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import { replaceAgenda } from '../../db/agenda/contract-rows.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId, seededIds } from '../../db/id.ts';
import { watchCustomers } from '../../db/sql/customer/watch.ts';
import { insertNew } from '../../db/sql/write-many.ts';
import { together } from '../../db/together.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { type LockedCustomer, lockCustomer } from '../customer/lock.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import { advanceBatch } from './advance.ts';
import {
  firstStepLimit,
  readAround,
  readSignRequest,
  requireAsEstimated,
  type SignBasis,
  type SignContractInput,
  signedAt,
} from './signing.ts';
import { writeFirstOwners, writeUsageOwners } from './usage-owners.ts';
import { contractRow, type Decided, writeEffects } from './write.ts';

/**
 * Signs a contract with nothing but Postgres: its row, its first step and the message that starts its workflow are
 * written together, so that it has its first period and invoice as soon as it can be read. One whose first step can't
 * be carried out stays `not_ready`, parked with the reason.
 *
 * @param estimate of this same signing: it is signed as of its instant
 * @returns the contract's id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `plan_not_found`, `plan_archived`, `pricing_not_found`,
 * `discount_not_found`, `contract_exists`, `usage_feature_taken`, `clock_advancing`, `estimate_outdated`; BillingError
 * with the fields that are wrong
 */
export async function signContract(tx: Tx, input: SignContractInput, estimate: SignBasis | null = null): Promise<string> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId);
  const [request, around] = await together(tx, [() => readSignRequest(tx, input, customer), () => readAround(tx, input, customer)]);
  if (estimate !== null) await requireAsEstimated(tx, request, customer, estimate);
  const at = estimate?.instant ?? customer.now;
  const ids = estimate === null ? newId : seededIds(estimate.seed, estimate.instant);
  const signed = signedAt(request, customer.pauses, at, ids);
  enqueue(tx, 'contract', signed.contract.id);
  tx.tries.hasCarefulWay = true;
  const outcome = tx.tries.isCareful ? null : firstStepOf(signed.contract, around, at, ids);
  if (outcome === null) await signInSteps(tx, signed, customer, { at, ids });
  else await writeSigned(tx, [{ signed, around, outcome, at }]);
  return signed.contract.id;
}

/**
 * Signs a contract that a payment gate has held back, as of the instant at which the gate was opened, however long ago:
 * with the invoices of then, which the money of the gate pays.
 *
 * @throws Refusal and BillingError as `signContract`
 */
export async function signPaid(tx: Tx, input: SignContractInput, basis: SignBasis, payment: GatePayment): Promise<void> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId, { advancing: 'allow' });
  const [request, around] = await together(tx, [() => readSignRequest(tx, input, customer), () => readAround(tx, input, customer)]);
  await requireAsEstimated(tx, request, customer, basis, Number.POSITIVE_INFINITY);
  const { instant: at, seed } = basis;
  const ids = seededIds(seed, at);
  const signed = signedAt(request, customer.pauses, at, ids);
  const outcome = firstStep(signed.contract, around, at, ids, firstStepLimit(signed.contract.clockId));
  enqueue(tx, 'contract', signed.contract.id);
  await writeSigned(tx, [{ signed, around, outcome, at, payment }]);
}

/**
 * Signs a contract that another system has billed so far, as it stands there. Unlike one that a customer signs, it
 * isn't kept where its first step can't be carried out: the line is refused then.
 *
 * @returns the contract's id
 * @throws Refusal and BillingError as `signContract`
 */
export async function signImported(tx: Tx, input: SignContractInput): Promise<string> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId);
  const [request, around] = await together(tx, [() => readSignRequest(tx, input, customer), () => readAround(tx, input, customer)]);
  const { now: at, pauses } = customer;
  if (input.standing === undefined && (input.activation ?? at) <= at) throw new BillingError(NOT_SAID);
  const signed = signedAt(request, pauses, at, newId);
  const outcome = firstStep(signed.contract, around, at, newId, firstStepLimit(signed.contract.clockId));
  enqueue(tx, 'contract', signed.contract.id);
  await writeSigned(tx, [{ signed, around, outcome, at }]);
  return signed.contract.id;
}

const NOT_SAID: FieldProblem = {
  field: 'billed_until',
  code: 'required',
  message: 'give how far it is billed, and the anchor; in a trial trial_end; before it begins a future activation',
};

/** Writes a contract that waits for its payment: it holds the place of its plan and its usage features. */
export async function insertWaiting(tx: Tx, contract: Contract, pauses: Pause[]): Promise<void> {
  const waiting = { contract, customer: { pauses } };
  const [, requireOwn] = await together(tx, [() => insertContracts(tx, [waiting]), () => writeFirstOwners(tx, [contract])]);
  await requireOwn();
}

/** A signed contract with its first step, and what that was computed from. */
export interface SignedAtOnce extends Pick<Decided, 'payment'> {
  signed: Signed;
  around: Pick<ContractSnapshot, 'customer' | 'tax'>;
  outcome: Outcome;
  at: Instant;
}

/** null where the step has to be carried out by itself: the rule fails, or the contract has ended after it. */
export function firstStepOf(
  contract: Contract,
  around: Pick<ContractSnapshot, 'customer' | 'tax'>,
  at: Instant,
  ids: NewId,
): Outcome | null {
  try {
    const outcome = firstStep(contract, around, at, ids, firstStepLimit(contract.clockId));
    return isLive(outcome.snapshot.contract) ? outcome : null;
  } catch {
    // the same failure comes again, and is noted, when the step is carried out by itself
    return null;
  }
}

/** Writes contracts as their first steps leave them, with all that the steps bring. */
export async function writeSigned(tx: Tx, all: readonly SignedAtOnce[]): Promise<void> {
  const snapshots = all.map(({ outcome }) => outcome.snapshot);
  const [, requireOwn] = await together(tx, [
    () => insertContracts(tx, snapshots),
    () =>
      writeFirstOwners(
        tx,
        snapshots.map(({ contract }) => contract),
      ),
  ]);
  await requireOwn();
  await writeEffects(tx, all.map(firstStepWithoutContract));
}

/** The contract is written already, its agenda also where the step brings nothing. */
function firstStepWithoutContract({
  signed: { contract, agenda },
  around,
  outcome: { snapshot, effects },
  ...written
}: SignedAtOnce): Decided {
  const rows = effects.agenda.length > 0 ? effects.agenda : [{ contractId: contract.id, rows: agenda }];
  return {
    before: justSigned(contract, around, written.at),
    outcome: { snapshot, effects: { ...effects, contracts: [], agenda: rows } },
    ...written,
  };
}

/** Writes the contract, and then carries out its first step, for which it is parked where that fails. */
async function signInSteps(
  tx: Tx,
  { contract, agenda }: Signed,
  { pauses, clockId }: LockedCustomer,
  { at, ids }: { at: Instant; ids: NewId },
): Promise<void> {
  await insertContracts(tx, [{ contract, customer: { pauses } }]);
  await writeUsageOwners(tx, [contract]);
  await replaceAgenda(tx, [{ contract, rows: agenda, isLookedAt: false }]);
  await advanceBatch(tx, [contract.id], at, { ...firstStepLimit(clockId), newId: ids });
}

async function insertContracts(tx: Tx, all: readonly { contract: Contract; customer: { pauses: Pause[] } }[]): Promise<void> {
  const rows = all.map(({ contract, customer }) => contractRow(contract, customer.pauses));
  const watched = all.flatMap(({ contract }) => (contract.configuration.invoiceThreshold === null ? [] : [contract.customerId]));
  if (watched.length > 0) await watchCustomers(tx, watched);
  if ((await insertNew(tx, ContractRecord, rows)) === rows.length) return;
  const [first] = all;
  if (first === undefined || all.length > 1) throw new Refusal('contract_exists', 'One of the customers has a contract of its plan.');
  const { customerId, terms } = first.contract;
  const status = { $in: ['not_ready', 'pending', 'scheduled', 'active'] as const };
  const existing = await tx.em.findOne(ContractRecord, { customerId, planId: terms.originalPlanId, isSuccessor: false, status });
  // the one that was in the way may have ended meanwhile: then there is nothing to name, and signing again succeeds
  const which = existing === null ? 'a contract' : `the contract ${existing.id}`;
  const about = existing === null ? null : { contract: existing.id };
  throw new Refusal('contract_exists', `The customer already has ${which} of this plan: change or cancel that one.`, about);
}
