import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import type { Price } from '../../billing/pricing/price.ts';
import { newId } from '../../db/id.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import type { ChangeInput } from '../../services/contract/change.ts';
import type { SignContractInput } from '../../services/contract/signing.ts';

export const NOW: CancelRequest['when'] = { type: 'now' };

const NO_PRICING = { pricingId: null, currency: null, cycle: null };

/** A change to another plan, at once where it is no downgrade. */
export const changeTo = (planId: string, options: Partial<ChangeInput> = {}): ChangeInput => ({
  strategy: 'new_plan',
  planId,
  pricing: NO_PRICING,
  overrides: {},
  discountId: null,
  activation: { type: 'immediate' },
  downgradeAllowed: false,
  ...options,
});

interface PlanOptions {
  cycle?: CataloguePlan['pricings'][number]['cycle'];
  trialDays?: number;
  /** price of a reported call; without it the plan has no feature */
  calls?: string;
}

const priceOf = (amount: string, strategy: Price['strategy']): Price => ({
  id: newId('Price'),
  amount,
  strategy,
  freeCycles: 0,
  taxCode: null,
});

/** A plan at a fixed price a cycle, with calls at a price each where that is given. */
export function flatPlan(price: string, { cycle = 'month', trialDays = 0, calls }: PlanOptions = {}): CataloguePlan {
  const id = newId('Plan');
  const features: CataloguePlan['features'] =
    calls === undefined
      ? []
      : [{ id: newId('Feat'), slug: 'calls', name: 'Calls', chargeTrigger: 'every_cycle', group: null, value: null }];
  return {
    id,
    slug: id.toLowerCase(),
    internalName: 'Flat',
    externalName: null,
    description: null,
    strategy: 'plan',
    freeTrialDays: trialDays,
    metadata: {},
    changeRules: {},
    pauseRules: {},
    status: 'active',
    created: Date.now(),
    features,
    pricings: [
      {
        id: newId('Price'),
        currency: 'usd',
        cycle,
        freeCycles: 0,
        price: priceOf(price, { kind: 'flat' }),
        features: calls === undefined ? {} : { calls: priceOf(calls, CALLS) },
        groups: {},
      },
    ],
  };
}

const CALLS: Price['strategy'] = {
  kind: 'usage',
  unitName: 'call',
  overUsageChargeStrategy: 'extra_usage_overcharge',
  overUsagePrice: null,
  minimumUnits: null,
  maximumUnits: null,
  batchSize: null,
  flatFee: null,
};

/** What is signed for a plain contract. */
export function signInput(vendorId: string, customerId: string, planId: string): SignContractInput {
  return {
    vendorId,
    customerId,
    planId,
    pricing: NO_PRICING,
    overrides: {},
    discountId: null,
    activation: null,
    isPending: false,
    expiration: null,
    trialDays: null,
    freeCycles: null,
    changeRules: {},
    offset: null,
    configuration: {},
  };
}
