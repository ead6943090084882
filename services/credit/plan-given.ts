import type { Contract } from '../../billing/contract/types.ts';
import { takenNewestFirst } from '../../billing/credit/taken-back.ts';
import type { CreditsBack, PlanGrant } from '../../billing/credit/types.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { lockCycleGrants } from '../../db/sql/credit/lock-cycle-grants.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { type LoneGrant, loneGrants } from '../../db/sql/credit/lone-grants.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { planExpiries } from './agenda.ts';
import { type GrantMove, moveGrants } from './move.ts';
import { unused } from './rollover.ts';
import { usable } from './use.ts';
import { type GrantRow, writeGrants } from './write.ts';

/** Credits of a plan are used with what has no priority of its own. */
const PRIORITY = 50;

/** Credits of a plan, with the contract that they come from. */
export type GivenByPlan = PlanGrant & { contract: Pick<Contract, 'id' | 'vendorId' | 'customerId'> };

/**
 * Writes the credits that plans give with cycles, in one statement for all of a batch. No row of the agenda waits for
 * their end: the contract's own steps let them expire, as long as it has any.
 */
export async function givePlanCredits(tx: Tx, given: readonly GivenByPlan[]): Promise<void> {
  await writeGrants(tx, given.map(rowOf));
}

/** Credits of a plan as they will be, with nothing used of them. */
export const grantToCome = (given: GivenByPlan): OpenGrant => unused(rowOf(given));

function rowOf({ contract, idx, currency, amount, effectiveAt, expiresAt, rollover }: GivenByPlan): GrantRow {
  const { id: contractId, vendorId, customerId } = contract;
  return {
    ...{ id: newId('Grant'), vendorId, customerId, currency, amount, effectiveAt, expiresAt, created: effectiveAt },
    ...{ kind: 'promotional', priority: PRIORITY, features: null, plans: null, description: null, contractId, periodIdx: idx },
    ...{ rolloverMaximum: rollover?.maximum ?? null, rolloverUntil: rollover?.until ?? null, rolledFrom: null },
  };
}

/**
 * Takes back credits of running cycles, as far as they are left: the newest first, since that is what a change back
 * undoes. A grant of which nothing was used, and of which nothing stays, is voided.
 */
export async function takeCreditsBack(tx: Tx, wanted: readonly (CreditsBack & { rootId: string; customerId: string })[]): Promise<void> {
  await lockMoney(tx, wanted);
  for (const one of wanted) {
    const grants = await lockCycleGrants(tx, one);
    const taken = takenNewestFirst(grants.map(usable), one.amount, one.currency);
    const byId = new Map(grants.map((grant) => [grant.id, grant]));
    const moves = taken.flatMap(({ grantId, amount }): GrantMove[] => {
      const grant = byId.get(grantId);
      if (grant === undefined) return [];
      const kind = dec(amount).eq(dec(grant.amount)) ? 'voided' : 'taken_back';
      const id = newId('Txn');
      return [{ id, grant, kind, amount: moneyText(dec(amount).neg(), grant.currency), at: one.at, occasion: `${kind}:${id}` }];
    });
    await moveGrants(tx, moves);
  }
}

/**
 * Plans the ends of credits whose contract has ended or moved on: its next steps may come later, or not at all.
 *
 * @param rootIds first contracts of the chains
 */
export async function planLoneExpiries(tx: Tx, rootIds: readonly string[]): Promise<void> {
  if (rootIds.length > 0) await planEnds(tx, await loneGrants(tx, { rootIds, ended: false }));
}

/**
 * Plans the ends of rollovers whose contract has ended or moved on: the cycles of its successor may end at other times.
 */
export async function planLoneRollovers(tx: Tx, grantIds: readonly string[]): Promise<void> {
  await planEnds(tx, await loneGrants(tx, { grantIds, ended: true }));
}

async function planEnds(tx: Tx, grants: readonly LoneGrant[]): Promise<void> {
  for (const [id, own] of Map.groupBy(grants, ({ customerId }) => customerId)) {
    const [{ vendorId, clockId }] = own as [LoneGrant];
    await planExpiries(tx, { id, vendorId, clockId }, own);
  }
}
