import { createHash, randomBytes } from 'node:crypto';
import { type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { type ChangePlan, planChange } from '../../billing/contract/change.ts';
import type { ChangeRequest, ChangeTime } from '../../billing/contract/change-request.ts';
import type { PricingWish } from '../../billing/contract/offer.ts';
import type { Overrides } from '../../billing/contract/terms.ts';
import type { Life, Mint } from '../../billing/contract/types.ts';
import { nowOf } from '../clock/now.ts';
import type { Queryable } from '../connect.ts';
import { refuseWhileAdvancing } from '../customer/hold.ts';
import { seededIds } from '../id.ts';
import { Refusal } from '../refusal.ts';
import { requireUnclaimed } from './claims.ts';
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

/** An estimate holds for ten minutes of the contract's own clock. */
export const ESTIMATE_LASTS_MS = 10 * MINUTE;

/** The wish with what the catalogue says about it now. @throws Refusal of the catalogue */
async function changeRequest(tx: Queryable, { contract }: Life, wish: ChangeWish): Promise<ChangeRequest> {
  const { overrides, activation, downgradeAllowed, planId } = wish;
  const discount = wish.discountId === null ? null : await readDiscount(tx, contract.vendorId, wish.discountId);
  const common = { overrides, discount, activation, downgradeAllowed };
  if (wish.strategy === 'change_unit_count') return { ...common, strategy: 'change_unit_count', planId };
  const { currency, cycle, originalPlanId } = contract.terms;
  const offer = await readOffer(tx, contract.vendorId, planId ?? originalPlanId, { ...wish.pricing, usual: { currency, cycle } });
  await requireUnclaimed(tx, offer, contract);
  return { ...common, strategy: 'new_plan', offer };
}

/**
 * Estimates a change: the whole computation of the change, without writing anything.
 *
 * @throws Refusal `contract_not_found`, `clock_advancing` and whatever refuses the change itself
 */
export async function estimateChange(
  tx: Queryable,
  vendorId: string,
  contractId: string,
  wish: ChangeWish,
): Promise<{ plan: ChangePlan; life: Life; basis: EstimateBasis }> {
  const [row] = await tx.query<{ clock_id: string | null; now: Instant }>(
    'select test_clock_id as clock_id, clock_timestamp() as now from contract where id = $1 and vendor_id = $2',
    [contractId, vendorId],
  );
  if (row === undefined) throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  await refuseWhileAdvancing(tx, row.clock_id);
  const instant = row.clock_id === null ? Math.floor(row.now) : await nowOf(tx, row.clock_id);
  const [life] = await loadLives(tx, [contractId], instant);
  if (life === undefined) throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  const request = await changeRequest(tx, life, wish);
  const seed = randomBytes(16).toString('hex');
  const plan = planChange(life, request, instant, seededIds(seed, instant));
  return { plan, life, basis: { contractId, instant, seed, fingerprint: fingerprintOf(life, request) } };
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
  const request = await changeRequest(tx, life, wish);
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
function fingerprintOf(life: Life, request: ChangeRequest): string {
  const { status: _status, ...customer } = life.customer;
  return createHash('sha256')
    .update(JSON.stringify([{ ...life, customer }, request]))
    .digest('base64url');
}
