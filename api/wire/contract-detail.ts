import type { z } from 'zod';
import { type TotalChargeEstimate, totalChargeEstimates } from '../../billing/contract/charge/cycle-price.ts';
import { chargedUnitsOf } from '../../billing/contract/charge/views.ts';
import { discountIn } from '../../billing/contract/period/cycles-left.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { TermFeature } from '../../billing/contract/types.ts';
import { ownEntry } from '../../billing/own-entry.ts';
import { isUsagePriced, type Price } from '../../billing/pricing/price.ts';
import type { ContractDetail } from '../../services/contract/read.ts';
import type { ContractPlan, ContractPrice, Contract as ContractWire } from '../schema/contract.ts';
import { changeRulesFromToWire, changeRulesToWire } from './change-rules.ts';
import { billingToWire, contractDiscountToWire, summaryToWire } from './contract.ts';
import { pauseRulesFromToWire, pauseRulesToWire } from './pause-rules.ts';
import { awaitingPaymentOf } from './payment-gate.ts';
import { priceAmountToWire, strategyToWire } from './price.ts';

/** A contract with its copy of the plan, the units used and charged, and the estimate of a full charge. */
export function contractToWire(detail: ContractDetail): z.input<typeof ContractWire> {
  const { contract, pauses } = detail;
  return {
    contract_summary: summaryToWire(contract, { name: detail.customerName, pauses }),
    plan: planCopyToWire(detail),
    billing_information: billingToWire(contract, pauses),
    // after a change of the cycle the discount's remaining time is shown in current cycles
    discount:
      contract.discount === null
        ? null
        : contractDiscountToWire(discountIn(contract, contract.currentIdx ?? 1, pauses) ?? contract.discount, contract),
    awaiting_payment: awaitingPaymentOf(contract),
    change_rules: changeRulesToWire(contract.changeRules),
    change_rules_from: changeRulesFromToWire(contract.changeRules),
    pause_rules: pauseRulesToWire(contract.pauseRules),
    pause_rules_from: pauseRulesFromToWire(contract.pauseRules),
    catching_up: detail.catchingUp,
  };
}

function planCopyToWire(detail: ContractDetail): z.input<typeof ContractPlan> {
  const { terms } = detail.contract;
  const estimates = totalChargeEstimates(detail.contract, detail.tax, detail.pauses);
  return {
    id: terms.id,
    slug: terms.slug,
    name: planName(terms),
    internal_name: terms.internalName,
    strategy: terms.strategy,
    features: terms.features.map((feature) => featureToWire(feature, detail, estimates)),
    free_trial_days: detail.contract.trialDays,
    description: terms.description,
    external_name: terms.externalName,
    original_plan_id: terms.originalPlanId,
    price: terms.price === null ? null : contractPriceToWire(terms.price, detail, { used: '0', estimate: estimates.get('plan') }),
  };
}

const featureToWire = (feature: TermFeature, detail: ContractDetail, estimates: Map<string, TotalChargeEstimate>) => ({
  id: feature.id,
  name: feature.name,
  slug: feature.slug,
  charge_trigger: feature.chargeTrigger,
  original_feature_id: feature.originalFeatureId,
  value: feature.value,
  price:
    feature.price === null
      ? null
      : contractPriceToWire(feature.price, detail, {
          used: ownEntry(detail.used, feature.slug) ?? '0',
          estimate: estimates.get(`feature:${feature.slug}`),
        }),
});

function contractPriceToWire(
  price: Price,
  { contract }: ContractDetail,
  { used, estimate }: { used: string; estimate: TotalChargeEstimate | undefined },
): z.input<typeof ContractPrice> {
  const { currency } = contract.terms;
  const charged = chargedUnitsOf(contract, price, used);
  const over = isUsagePriced(price) ? charged.overUsageUnitCharged : null;
  return {
    amount: priceAmountToWire(price.amount, currency),
    currency,
    strategy_details: strategyToWire(price.strategy, currency, { used, charged: charged.unitsCharged, overCharged: over }),
    free_cycles: price.freeCycles,
    tax_code: price.taxCode,
    total_charge_estimate: estimate ?? null,
  };
}
