import type { Instant } from '../../billing/calendar/instant.ts';
import { type CallableThough, requireCallable } from '../../billing/contract/terms/require.ts';
import type { Contract, ContractGate, ContractSnapshot, Outcome } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { Customer } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { clockOfContractToLock } from '../../db/sql/contract/place.ts';
import { sqlState } from '../../db/sql-state.ts';
import type { Tx } from '../../db/transaction.ts';
import { FreezeIsOver, isFreezeOver } from '../customer/freeze-over.ts';
import { type CustomerHistoryKind, recordHistory } from '../customer/history.ts';
import { refuseWhileAdvancing, requireNotErased } from '../customer/lock.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import { dropGate } from '../payment-gate/end.ts';
import { loadSnapshots } from './load.ts';
import { type ContractHistoryKind, noteHistory } from './park.ts';
import { unknownContract } from './unknown.ts';
import { writeEffects } from './write.ts';

/** A caller's decision about one contract. */
export interface ContractCall {
  vendorId: string;
  contractId: string;
}

/** A contract as it is locked, not yet advanced, and the time on its clock. */
export interface LockedContract {
  snapshot: ContractSnapshot;
  now: Instant;
}

/**
 * What a rule decided, what it was computed from where that isn't the locked contract, and what the timeline shows of
 * it.
 */
interface Decision {
  outcome: Outcome;
  basis?: { before: ContractSnapshot; at: Instant };
  note?: { kind: ContractHistoryKind; detail: Record<string, unknown> };
  /** what the customer's history calls it where it was asked for in the portal */
  act?: CustomerHistoryKind;
  /** the money of a payment gate, where that makes it */
  payment?: GatePayment;
}

interface Allowed extends CallableThough {
  /** what a payment makes is made while the test clock advances, too */
  whileAdvancing?: boolean;
  /**
   * the rule advances the contract and gives back no line of its own accord: lines are read as for the time that
   * passes
   */
  reads?: 'ending';
  /** the usage period that the call closes */
  closes?: number;
  /** of a contract with an open payment gate: says whether the call ends the gate and nothing else */
  endsGate?: (contract: Contract, gate: ContractGate) => boolean;
}

type Reading = Pick<Allowed, 'whileAdvancing' | 'closes'> & { reads?: 'all' | 'ending' };

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Reads and locks a contract, lets a rule decide, and writes what it decided. The rule first advances the contract to
 * now. All in the caller's transaction, so that the decision is made once or not at all.
 *
 * @throws Refusal `contract_not_found`, `contract_state`, `contract_not_live`, `clock_advancing`, `change_in_progress`,
 * and those of the rule
 */
export async function decideOnContract(
  tx: Tx,
  call: ContractCall,
  decide: (locked: LockedContract) => Decision | Promise<Decision>,
  allowed: Allowed = {},
): Promise<void> {
  const locked = await lockContract(tx, call, allowed);
  if (await endedGate(tx, locked, allowed)) return;
  requireCallable(locked.snapshot, allowed);
  if (locked.snapshot.customer.status === 'inactive') await requireCustomerData(tx, locked.snapshot.customer.id);
  const { outcome, basis, note, act, payment } = await decide(locked);
  // the request is written before its effects: the timeline shows them in this order
  if (note !== undefined) await noteHistory(tx, call.contractId, locked.now, note.kind, note.detail);
  if (act !== undefined && tx.caller.type === 'portal') {
    const { customerId } = locked.snapshot.contract;
    await recordHistory(tx, { customerId, kind: act, object: call.contractId, at: locked.now });
  }
  await writeEffects(tx, [{ before: locked.snapshot, at: locked.now, ...basis, outcome, ...(payment === undefined ? {} : { payment }) }]);
}

/** Refuses a call about an ended contract of an erased customer: some calls accept ended contracts. */
async function requireCustomerData(tx: Tx, customerId: string): Promise<void> {
  requireNotErased(await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['id', 'erasedAt'], disableIdentityMap: true }));
}

/** Ends the payment gate of a contract, where the call does just that. */
async function endedGate(tx: Tx, { snapshot: { contract }, now }: LockedContract, { endsGate }: Allowed): Promise<boolean> {
  const { gate } = contract;
  if (gate === null || endsGate?.(contract, gate) !== true) return false;
  await dropGate(tx, gate.contractId, { reason: 'taken_back', at: now });
  return true;
}

/**
 * A request waits at most a second for a contract that another transaction has locked; this limit holds until the
 * transaction ends.
 */
export async function lockContract(
  tx: Tx,
  { vendorId, contractId }: ContractCall,
  { whileAdvancing = false, reads = 'all', closes }: Reading = {},
): Promise<LockedContract> {
  const clockId = await clockOfContractToLock(tx, vendorId, contractId);
  if (clockId === undefined) throw await unknownContract(tx, { vendorId, contractId });
  if (clockId !== null && !whileAdvancing) await refuseWhileAdvancing(tx, clockId);
  try {
    let now = 0;
    const readNow = async () => {
      now = await nowOf(tx, clockId);
      return now;
    };
    const [snapshot] = await loadSnapshots(tx, [contractId], readNow, {
      lock: 'wait',
      running: reads,
      ...(closes === undefined ? {} : { left: { closes } }),
    });
    if (snapshot === undefined) throw await unknownContract(tx, { vendorId, contractId });
    if (clockId === null && snapshot.customer.status === 'inactive') await requireFreezeGoesOn(tx, snapshot.customer.id, now);
    return { snapshot, now };
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new Refusal('change_in_progress', 'Another change of this contract is running.', {}, { retryAfter: 1 });
  }
}

/**
 * Throws if the freeze was to end by now: its end is carried out first, since the rule must not see a frozen customer
 * then.
 */
async function requireFreezeGoesOn(tx: Tx, customerId: string, now: Instant): Promise<void> {
  const { resumeAt } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['resumeAt'], disableIdentityMap: true });
  if (isFreezeOver({ resumeAt, now })) throw new FreezeIsOver(customerId);
}
