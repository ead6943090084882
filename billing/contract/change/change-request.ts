import type { Cycle } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Currency } from '../../money/currency.ts';
import { BillingError, fail } from '../../problem.ts';
import { refuse } from '../../refusal.ts';
import { pauseRulesAfter } from '../period/pause-rules.ts';
import { rulesAfter } from '../terms/change-rules.ts';
import type { Offer } from '../terms/offer.ts';
import type { GivenDiscount } from '../terms/sign.ts';
import { buildTerms, type Overrides, sameTerms, unitsTakenOver, withOverrides } from '../terms/terms.ts';
import { checkThreshold, thresholdIn } from '../terms/threshold.ts';
import type { Contract, ContractDiscount, NewId, Terms } from '../types.ts';

/** When a change is to take effect. */
export type ChangeTime = { type: 'immediate' } | { type: 'next_cycle' } | { type: 'date'; date: Instant };

/** A pricing as a caller may name it; null: not named. */
interface NamedPricing {
  pricingId: string | null;
  currency: Currency | null;
  cycle: Cycle | null;
}

/** A request to change a contract's plan or units. */
export type ChangeRequest = {
  overrides: Overrides;
  discount: GivenDiscount | null;
  /** null: by the rule of its direction */
  activation: ChangeTime | null;
  /** forces a downgrade now instead of at the end of the cycle */
  downgradeAllowed: boolean;
} & (
  | { strategy: 'new_plan'; offer: Offer }
  /** what the caller names must be the contract's own */
  | ({ strategy: 'change_unit_count'; planId: string | null } & NamedPricing)
);

/** Terms, settings, discount and rules of the new contract. */
export interface Target {
  terms: Terms;
  configuration: Contract['configuration'];
  changeRules: Contract['changeRules'];
  pauseRules: Contract['pauseRules'];
  discount: ContractDiscount | null;
}

/**
 * The terms and the discount after a change. `new_plan` takes today's prices, and the bought units of equal slugs where
 * the new limits allow them; `change_unit_count` copies the contract's own terms with other units.
 *
 * @throws BillingError with the problems of the overrides; `required` for a change of units without units
 * @throws Refusal `nothing_to_change`, `plan_mismatch`, `discount_currency`
 */
export function targetOf(contract: Contract, request: ChangeRequest, newId: NewId): Target {
  const terms =
    request.strategy === 'new_plan' ? newPlan(contract, request.offer, request.overrides, newId) : otherUnits(contract, request, newId);
  const { currency } = terms;
  requireThreshold(terms, contract);
  const rules = rulesOf(contract, request);
  const configuration = thresholdIn(currency, contract.configuration);
  if (request.discount) {
    if (request.discount.type === 'flat' && request.discount.currency !== currency) {
      refuse('discount_currency', `give a discount in ${currency}, or a percentage`, 'upgrade_configuration.discount_id');
    }
    return { terms, configuration, ...rules, discount: { ...request.discount, id: newId('Disc'), cyclesBefore: 0 } };
  }
  requireUnits(request);
  if (sameTerms(contract.terms, terms)) refuse('nothing_to_change', 'the plan, its units and its prices are the same already');
  const { discount } = contract;
  // A flat discount ends with its currency.
  return { terms, configuration, ...rules, discount: discount?.type === 'flat' && discount.currency !== currency ? null : discount };
}

/** A caller who gives no units and no price has forgotten them, or has put them in the wrong place. */
function requireUnits({ strategy, overrides }: ChangeRequest): void {
  const isGiven = Object.values(overrides).some(({ units, price, flatFee }) => units != null || price != null || flatFee != null);
  if (strategy !== 'change_unit_count' || isGiven) return;
  fail('upgrade_configuration.unit_count_configuration', 'required', 'give the units of a feature, which change_unit_count changes');
}

/** @throws BillingError `threshold_not_possible` */
function requireThreshold(terms: Terms, { configuration }: Contract): void {
  const fix = `give a plan without them; this contract has an invoice threshold of ${configuration.invoiceThreshold}`;
  const threshold = { invoiceThreshold: configuration.invoiceThreshold ?? null, invoiceThresholdFrom: null };
  const problems = checkThreshold(terms, threshold, { field: 'upgrade_configuration.plan_id', fix });
  if (problems.length > 0) throw new BillingError(problems);
}

/** Another plan brings rules of its own. */
function rulesOf({ changeRules, pauseRules }: Contract, request: ChangeRequest): Pick<Target, 'changeRules' | 'pauseRules'> {
  if (request.strategy !== 'new_plan') return { changeRules, pauseRules };
  const { plan } = request.offer;
  return { changeRules: rulesAfter(changeRules, plan.changeRules), pauseRules: pauseRulesAfter(pauseRules, plan.pauseRules) };
}

function newPlan(contract: Contract, offer: Offer, overrides: Overrides, newId: NewId): Terms {
  const kept = unitsTakenOver(contract.terms, offer);
  const merged: Overrides = { ...kept };
  for (const [name, override] of Object.entries(overrides))
    merged[name] = { ...override, units: override.units ?? kept[name]?.units ?? null };
  return buildTerms(offer, merged, newId);
}

function otherUnits(contract: Contract, request: Extract<ChangeRequest, { strategy: 'change_unit_count' }>, newId: NewId): Terms {
  const { terms } = contract;
  const { planId, overrides } = request;
  if (planId !== null && planId !== terms.originalPlanId && planId !== terms.id) {
    refuse('plan_mismatch', 'give the plan of the contract, or upgrade_strategy "new_plan"', 'upgrade_configuration.plan_id');
  }
  requirePricing(terms, request);
  const priced = Object.values(overrides).filter(({ price, flatFee }) => price != null || flatFee != null);
  if (priced.length > 0) {
    throw new BillingError(
      priced.map(({ field }) => ({
        field,
        code: 'price_not_changeable',
        message: 'give units only: change_unit_count keeps the prices of the contract',
      })),
    );
  }
  const copies = terms.features.map((feature) => ({ ...feature, id: newId('Feat') }));
  return withOverrides({ ...terms, id: newId('Plan'), features: copies }, overrides, newId);
}

function requirePricing(terms: Terms, named: NamedPricing): void {
  const own = { pricing_id: terms.pricingId, currency: terms.currency, cycle: terms.cycle };
  const asked = { pricing_id: named.pricingId, currency: named.currency, cycle: named.cycle };
  for (const field of ['pricing_id', 'currency', 'cycle'] as const) {
    if (asked[field] === null || asked[field] === own[field]) continue;
    refuse(
      'plan_mismatch',
      `give the ${field} of the contract (${own[field]}), or upgrade_strategy "new_plan"`,
      `upgrade_configuration.${field}`,
    );
  }
}
