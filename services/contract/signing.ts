import type { Instant } from '../../billing/calendar/instant.ts';
import { MOST_INSTANTS, requireRecentActivation } from '../../billing/contract/advance/catching-up.ts';
import { firstStep } from '../../billing/contract/estimate/first-step.ts';
import type { GivenChangeRules } from '../../billing/contract/terms/change-rules.ts';
import type { Offer, PricingChoice } from '../../billing/contract/terms/offer.ts';
import {
  type GivenDiscount,
  type PartialConfiguration,
  planSigning,
  type Signed,
  type SignRequest,
} from '../../billing/contract/terms/sign.ts';
import type { ImportStanding } from '../../billing/contract/terms/standing.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { seededIds } from '../../db/id.ts';
import { termsOfVendor, type VendorTerms } from '../../db/sql/vendor/configuration.ts';
import { together } from '../../db/together.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { ESTIMATE_LASTS_MS, fingerprintOf } from './fingerprint.ts';
import { loadSurroundings } from './load.ts';
import { readOffer, requireDiscount } from './offer.ts';

/**
 * A contract as the caller asks for it; what is null falls back to the plan, the customer, the vendor or the moment of
 * signing. Plain JSON, so that an estimate's token can carry it.
 */
export type SignContractInput = {
  vendorId: string;
  customerId: string;
  planId: string;
  pricing: Omit<PricingChoice, 'usual'>;
  overrides: Overrides;
  discountId: string | null;
  activation: Instant | null;
  isPending: boolean;
  expiration: Instant | null;
  trialDays: number | null;
  freeCycles: number | null;
  offset: number | null;
  configuration: PartialConfiguration;
  changeRules: GivenChangeRules;
  /** of an imported contract: where another system has left it */
  standing?: ImportStanding;
};

/** What fixes the estimate of a signing: from the same facts it comes to the same lines, or it is outdated. */
export type SignBasis = {
  instant: Instant;
  seed: string;
  /** of the contract that it makes */
  contractId: string;
  /** fingerprints of what the signing is computed from, and of what it comes to */
  facts: string;
  lines: string;
};

/** The customer who signs, locked or only read. */
export type SigningCustomer = Pick<LockedCustomer, 'id' | 'clockId' | 'configuration' | 'pauses' | 'now'>;

/**
 * The input with what the catalogue, the customer and the vendor say now.
 *
 * @throws Refusal of the catalogue
 */
export async function readSignRequest(tx: Queryable, input: SignContractInput, customer: SigningCustomer): Promise<SignRequest> {
  const [offer, vendor, discount] = await together(tx, [
    () => readOffer(tx, input.vendorId, input.planId, { ...input.pricing, usual: null }),
    () => termsOfVendor(tx, input.vendorId),
    async () => (input.discountId === null ? null : requireDiscount(tx, input.vendorId, input.discountId)),
  ]);
  return signRequestFrom(input, customer, { offer, vendor, discount });
}

/** The input with what was read of catalogue, customer and vendor. */
export const signRequestFrom = (
  input: SignContractInput,
  customer: SigningCustomer,
  { offer, vendor, discount }: { offer: Offer; vendor: VendorTerms; discount: GivenDiscount | null },
): SignRequest => ({
  ...input,
  clockId: customer.clockId,
  offer,
  discount,
  customerConfiguration: customer.configuration,
  vendorConfiguration: vendor.invoicing,
  vendorChangeRules: vendor.changeRules,
  vendorPauseRules: vendor.pauseRules,
});

/** A signing computed in memory: the contract, its first step, and what fixes both. */
export interface SigningPlan extends Signed {
  outcome: Outcome;
  basis: SignBasis;
}

/**
 * Computes a signing without writing it: the contract and everything that its first step brings.
 *
 * @throws BillingError with the fields that are wrong; Refusal `customer_frozen`
 */
export async function planSigningAhead(
  tx: Queryable,
  request: SignRequest,
  who: SigningCustomer,
  { instant, seed }: { instant: Instant; seed: string },
): Promise<SigningPlan> {
  const around = await readAround(tx, request, who);
  const newId = seededIds(seed, instant);
  const signed = signedAt(request, who.pauses, instant, newId);
  const outcome = firstStep(signed.contract, around, instant, newId, firstStepLimit(request.clockId));
  const { lines, invoices, wallet } = outcome.effects;
  const facts = fingerprintOf([request, who.pauses, around.tax]);
  const basis = { instant, seed, contractId: signed.contract.id, facts, lines: fingerprintOf([lines, invoices, wallet]) };
  return { ...signed, outcome, basis };
}

/** The customer and its taxes, as the first step of a contract has to know them. */
export async function readAround(
  tx: Queryable,
  { vendorId, customerId }: Pick<SignContractInput, 'vendorId' | 'customerId'>,
  { pauses }: SigningCustomer,
): Promise<Pick<ContractSnapshot, 'customer' | 'tax'>> {
  const { customers, taxes } = await loadSurroundings(tx, [{ vendorId, customerId, pendingChange: null }]);
  const [customer, tax] = [customers.get(customerId), taxes.get(customerId)];
  if (customer === undefined || tax === undefined) throw new Error(`the customer ${customerId} does not exist`);
  return { customer: { ...customer, pauses }, tax };
}

/** A contract as it is signed at an instant. */
export function signedAt(request: SignRequest, pauses: SigningCustomer['pauses'], instant: Instant, newId: NewId): Signed {
  const signed = planSigning(request, instant, { newId, pauses });
  requireRecentActivation(signed.contract, pauses, instant);
  return signed;
}

/** What of a past activation the signing itself carries out: on a test clock all of it. */
export const firstStepLimit = (clockId: string | null) => ({ instants: clockId === null ? MOST_INSTANTS : Number.POSITIVE_INFINITY });

/**
 * Makes sure that a signing still comes to what its estimate has shown.
 *
 * @param lasts how long the estimate holds, in milliseconds
 * @throws Refusal `estimate_outdated` after ten minutes, or when anything it was computed from has changed since
 */
export async function requireAsEstimated(
  tx: Queryable,
  request: SignRequest,
  customer: SigningCustomer,
  basis: SignBasis,
  lasts = ESTIMATE_LASTS_MS,
): Promise<void> {
  if (customer.now >= basis.instant + lasts) throw outdated('The estimate is older than ten minutes.');
  const { facts, lines } = (await planSigningAhead(tx, request, customer, basis)).basis;
  if (facts !== basis.facts || lines !== basis.lines) {
    throw outdated('The plan, its prices, the taxes or the settings have changed since the estimate.');
  }
}

const outdated = (why: string): Refusal => new Refusal('estimate_outdated', why);
