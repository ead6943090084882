import type { ChangePlan } from '../../billing/contract/change/change.ts';
import { type CyclePrice, cyclePrice } from '../../billing/contract/charge/cycle-price.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { dec } from '../../billing/money/decimal.ts';
import { ownEntry } from '../../billing/own-entry.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { type ChangeInput, changeContract } from '../contract/change.ts';
import type { ChangeEstimates } from '../contract/estimate-change.ts';
import type { FixedEstimate } from '../contract/estimate-token.ts';
import { type ChangePayment, paymentOf } from './change-payment.ts';
import { type PortalOffer, portalOffers } from './offers.ts';
import type { OwnContract } from './own-contract.ts';
import type { PortalVisitor } from './token.ts';

/** What a customer chose: a pricing of another plan, or null for its own plan; and units by feature, group or plan. */
export interface ChangeChoice {
  pricingId: string | null;
  units: Readonly<Record<string, string>>;
  /** which only the vendor's people choose; absent: by the rule of its direction */
  when?: 'now' | 'next_cycle';
}

/** A change as the customer sees it before it confirms. */
export interface ChangeReview {
  own: OwnContract;
  plan: ChangePlan;
  /** the contract that the change makes */
  fresh: Contract;
  /** of one whole cycle from then on, with tax, before discount, without usage */
  price: CyclePrice;
  payment: ChangePayment;
  fixed: FixedEstimate;
}

interface ReviewParts {
  db: Database;
  estimates: ChangeEstimates;
  /** ids of the plans that the vendor offers; null = all that are sold */
  plans: readonly string[] | null;
}

/** What fields of the form are called in the problems of a choice. */
export const UNITS_FIELD = 'units.';

/**
 * Computes what a choice would cost, without writing anything.
 *
 * @throws Refusal `plan_not_found` for what isn't offered, and whatever refuses the change
 * @throws BillingError with the problems of the units
 */
export async function reviewChange({ db, estimates, plans }: ReviewParts, own: OwnContract, choice: ChangeChoice): Promise<ChangeReview> {
  const { own: current, others } = await portalOffers(db.em(), own.snapshot, plans);
  const offer = choice.pricingId === null ? current : others.find(({ pricingId }) => pricingId === choice.pricingId);
  if (offer === undefined) throw notOffered();
  return reviewInput({ db, estimates }, own, changeInputOf(offer, choice));
}

/** The same for a change as an earlier estimate fixed it. */
export async function reviewInput(
  { db, estimates }: Omit<ReviewParts, 'plans'>,
  own: OwnContract,
  input: ChangeInput,
): Promise<ChangeReview> {
  const { contract, tax } = own.snapshot;
  const { plan, basis } = await estimates.estimate(contract.vendorId, contract.id, input);
  const fresh = plan.outcome.effects.contracts.find(({ id }) => id === plan.newContractId);
  if (fresh === undefined) throw new Error(`the change of ${contract.id} makes no contract`);
  const payment = await paymentOf(db, contract, plan);
  return { own, plan, fresh, price: cyclePrice(fresh.terms, tax), payment, fixed: { input, basis } };
}

const notOffered = (): Refusal => new Refusal('plan_not_found', 'This plan is not offered.');

const TIMES = { now: { type: 'immediate' }, next_cycle: { type: 'next_cycle' } } as const;

/**
 * What a choice asks for. Without a time upgrades happen now and downgrades at the end of the cycle, unless a change
 * rule says otherwise.
 */
export function changeInputOf(offer: PortalOffer, { units, when }: ChangeChoice): ChangeInput {
  const chosen = offer.units.filter(({ key, units: before }) => {
    const asked = ownEntry(units, key);
    return asked !== undefined && (offer.pricingId !== null || !sameUnits(asked, before));
  });
  if (offer.pricingId === null && chosen.length === 0) throw new Refusal('nothing_to_change', 'Nothing was chosen that would change.');
  return {
    strategy: offer.pricingId === null ? 'change_unit_count' : 'new_plan',
    planId: offer.planId,
    pricing: { pricingId: offer.pricingId, currency: null, cycle: null },
    overrides: Object.fromEntries(chosen.map(({ key }) => [key, { units: ownEntry(units, key) ?? null, field: `${UNITS_FIELD}${key}` }])),
    discountId: null,
    activation: when === undefined ? null : TIMES[when],
    downgradeAllowed: when === 'now',
  };
}

const NUMBER = /^\d{1,26}(\.\d{1,12})?$/;

const sameUnits = (asked: string, before: string): boolean => NUMBER.test(asked) && dec(asked).eq(before);

/** What became of a confirmed change: the contract it made, now or by an earlier use of the same estimate. */
export interface ConfirmedChange {
  contractId: string;
  isRepeat: boolean;
}

/**
 * Makes the change of an estimate, once: used again it says what the first use made.
 *
 * @param own null: another change has taken its place already
 * @param atMost what the page has shown to be paid; where it would be more, nothing is done
 * @throws Refusal `plan_not_found` for what isn't offered any more, `estimate_outdated`, and what refuses the change
 */
export async function confirmChange(
  { db, plans }: Omit<ReviewParts, 'estimates'>,
  visitor: Pick<PortalVisitor, 'vendorId'>,
  asker: Asker,
  own: OwnContract | null,
  { input, basis }: FixedEstimate,
  atMost: string,
): Promise<ConfirmedChange> {
  const call = { vendorId: visitor.vendorId, contractId: basis.contractId };
  try {
    if (own !== null) await requireOffered({ db, plans }, own, input);
    return { contractId: await db.transaction((tx) => changeContract(tx, call, input, basis, { atMost }), asker), isRepeat: false };
  } catch (error) {
    // the first use has changed what a second one meets; a lost COMMIT may have been the first
    if (await wasMade(db, basis.newContractId)) return { contractId: basis.newContractId, isRepeat: true };
    throw error;
  }
}

/** Whether the change, or the signing, of an estimate was made. */
export const wasMade = async (db: Database, newContractId: string): Promise<boolean> =>
  (await db.em().count(ContractRecord, { id: newContractId })) > 0;

async function requireOffered(
  { db, plans }: Omit<ReviewParts, 'estimates'>,
  { snapshot }: OwnContract,
  { strategy, pricing }: ChangeInput,
): Promise<void> {
  if (strategy === 'change_unit_count') return;
  const { others } = await portalOffers(db.em(), snapshot, plans);
  if (!others.some(({ pricingId }) => pricingId === pricing.pricingId)) throw notOffered();
}
