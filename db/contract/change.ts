import { createHash } from 'node:crypto';
import { type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { type ChangePlan, planChange } from '../../billing/contract/change.ts';
import type { ChangeRequest, ChangeTime } from '../../billing/contract/change-request.ts';
import type { PricingWish } from '../../billing/contract/offer.ts';
import type { Overrides } from '../../billing/contract/terms.ts';
import type { Life, Mint } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { seededIds } from '../id.ts';
import { Refusal } from '../refusal.ts';
import { type Claim, claimsOfCustomers, requireUnclaimed } from './claims.ts';
import { loadLives } from './load.ts';
import { readDiscount, readOffer } from './offer.ts';

/** A change as the caller wishes it; plain JSON, so that it can be sent to the contract's workflow. */
export type ChangeWish = {
  strategy: 'new_plan' | 'change_unit_count';
  planId: string | null;
  pricing: Omit<PricingWish, 'usual'>;
  overrides: Overrides;
  discountId: string | null;
  activation: ChangeTime;
  downgradeAllowed: boolean;
};

/** What fixes an estimate: reckoned again from it, the change comes to the same, or it is outdated. */
export type EstimateBasis = {
  contractId: string;
  instant: Instant;
  seed: string;
  fingerprint: string;
};

/** Whether the wish names a plan, whose place must be free. */
export const readsClaims = ({ strategy }: ChangeWish): boolean => strategy === 'new_plan';

/** An estimate holds for ten minutes of the contract's own clock. */
export const ESTIMATE_LASTS_MS = 10 * MINUTE;

/**
 * The wish with what the catalogue says about it now.
 *
 * @param claims of the contract's customer, which only a change of plan looks at (`readsClaims`)
 * @throws Refusal of the catalogue
 */
export async function changeRequest(tx: Queryable, { contract }: Life, wish: ChangeWish, claims: readonly Claim[]): Promise<ChangeRequest> {
  const { overrides, activation, downgradeAllowed, planId } = wish;
  const discount = wish.discountId === null ? null : await readDiscount(tx, contract.vendorId, wish.discountId);
  const common = { overrides, discount, activation, downgradeAllowed };
  if (wish.strategy === 'change_unit_count') return { ...common, strategy: 'change_unit_count', planId };
  const { currency, cycle, originalPlanId } = contract.terms;
  const offer = await readOffer(tx, contract.vendorId, planId ?? originalPlanId, { ...wish.pricing, usual: { currency, cycle } });
  requireUnclaimed(claims, offer, contract);
  return { ...common, strategy: 'new_plan', offer };
}

/**
 * Reckons a change that is to be written: as of now, or as of the instant of its estimate.
 *
 * @throws Refusal `estimate_outdated` after ten minutes, or when anything the estimate was reckoned from has changed since
 */
export async function reckonChange(
  tx: Queryable,
  life: Life,
  wish: ChangeWish,
  basis: EstimateBasis | null,
  { now, mint }: { now: Instant; mint: Mint },
): Promise<{ plan: ChangePlan; before: Life; at: Instant }> {
  const claims = readsClaims(wish) ? await claimsOfCustomers(tx, [life.contract.customerId]) : [];
  const request = await changeRequest(tx, life, wish, claims);
  if (basis === null) return { plan: planChange(life, request, now, mint), before: life, at: now };
  if (now >= basis.instant + ESTIMATE_LASTS_MS) throw new Refusal('estimate_outdated', 'The estimate is older than ten minutes.');
  // the contract's row is held already: nothing moves between the two readings
  const [then] = await loadLives(tx, [life.contract.id], basis.instant);
  if (then === undefined || basis.contractId !== life.contract.id || fingerprintOf(then, request) !== basis.fingerprint) {
    throw new Refusal('estimate_outdated', 'The contract, its prices, its taxes or its usage have changed since the estimate.');
  }
  return { plan: planChange(then, request, basis.instant, seededIds(basis.seed, basis.instant)), before: then, at: basis.instant };
}

/** One value for everything a change is reckoned from. */
export function fingerprintOf(life: Life, request: ChangeRequest): string {
  const { status: _status, ...customer } = life.customer;
  return createHash('sha256')
    .update(JSON.stringify([{ ...life, customer }, request]))
    .digest('base64url');
}
