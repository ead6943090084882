import { requireCallable } from '../../billing/contract/terms/require.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import type { PlanMoveTime } from '../../db/entities/plan-move.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import type { ChangeInput } from '../contract/change.ts';

/** A move of a plan's contracts as a caller asks for it. */
export interface AskedMove {
  vendorId: string;
  planId: string;
  /** null: the newest version of the same plan */
  toPlanId: string | null;
  time: PlanMoveTime;
  /** null: all live contracts of the plan */
  contractIds: readonly string[] | null;
}

/** The contracts of a plan that a move is about: scheduled successors of a change don't count. */
export const contractsToMove = (vendorId: string, planId: string) => ({
  vendorId,
  planId,
  isSuccessor: false,
  status: { $in: ['not_ready', 'pending', 'scheduled', 'active'] as const },
});

/**
 * Requires that the plans are there, that the one to go to is sold, and that each given contract is one of the plan.
 *
 * @throws Refusal `plan_not_found`, `plan_archived`, `contract_not_found`, `invalid_request` naming each contract
 */
export async function requireMovePlans(tx: Tx, { vendorId, planId, toPlanId, contractIds }: AskedMove): Promise<void> {
  const from = await readPlan(tx, vendorId, planId);
  if (from === null) throw new Refusal('plan_not_found', `There is no plan ${planId}.`, 'plan');
  const to = toPlanId === null ? from : await readPlan(tx, vendorId, toPlanId);
  if (to === null) throw new Refusal('plan_not_found', `There is no plan ${toPlanId}.`, 'to');
  if (to.status === 'archived')
    throw new Refusal('plan_archived', `The plan ${to.id} is not sold any more.`, { to: 'is archived: give a plan that is sold' });
  if (contractIds !== null) await requireContractsOf(tx, vendorId, planId, contractIds);
}

async function requireContractsOf({ em }: Tx, vendorId: string, planId: string, ids: readonly string[]): Promise<void> {
  const options = { fields: ['id', 'planId'], disableIdentityMap: true } as const;
  const found = await em.find(ContractRecord, { id: { $in: [...ids] }, vendorId }, options);
  const plans = new Map(found.map((contract) => [contract.id, contract.planId]));
  const unknown = ids.findIndex((id) => !plans.has(id));
  if (unknown !== -1) throw new Refusal('contract_not_found', `There is no contract ${ids[unknown]}.`, `contracts[${unknown}]`);
  const others = ids.flatMap((id, index) =>
    plans.get(id) === planId ? [] : [[`contracts[${index}]`, 'is not a contract of this plan'] as const],
  );
  if (others.length > 0) throw new Refusal('invalid_request', 'Give contracts of this plan only.', Object.fromEntries(others));
}

/** What a caller would ask of each contract: today's prices of the plan, everything else as the contract has it. */
export const changeTo = (planId: string, time: PlanMoveTime): ChangeInput => ({
  strategy: 'new_plan',
  planId,
  pricing: { pricingId: null, currency: null, cycle: null },
  overrides: {},
  discountId: null,
  activation: { type: time },
  downgradeAllowed: false,
});

/**
 * Refuses a contract that waits for something: a move replaces no change that somebody has asked for.
 *
 * @throws Refusal `change_scheduled`, `awaiting_payment`, and those of every decision about a contract
 */
export function requireMovable(snapshot: ContractSnapshot): void {
  requireCallable(snapshot);
  const { gate, pendingChange } = snapshot.contract;
  if (gate !== null) throw new Refusal('awaiting_payment', 'A change of the contract waits for its payment.');
  if (pendingChange !== null) throw new Refusal('change_scheduled', 'A change of the contract is scheduled already.');
}
