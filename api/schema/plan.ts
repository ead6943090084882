import { z } from 'zod';
import { ChangeRulesRequest, OwnChangeRules } from './change-rules.ts';
import {
  bySlug,
  Count,
  Currency,
  Cycle,
  DecimalInput,
  DecimalText,
  DiscountId,
  idOrEmpty,
  idSchema,
  listOf,
  MAX_FEATURES,
  Metadata,
  Name,
  PlanId,
  PricingId,
  requiredToCreate,
  Slug,
  Text,
  Timestamp,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';
import { OwnPauseRules, PauseRulesRequest } from './pause-rules.ts';
import { PlanCredits, PlanCreditsRequest } from './plan-credits.ts';
import { CataloguePrice, PriceRequest } from './price.ts';

export const Strategy = z.enum(['plan', 'group', 'feature']).meta({
  id: 'Strategy',
  description:
    'plan: the plan has a price, and features may add theirs; feature: the plan’s price is the sum of its features’ prices; group: it is the sum of its groups’ prices.',
});
export const ChargeTrigger = z.enum(['every_cycle', 'first_cycle', 'on_demand', 'month', 'quarter', 'year']).meta({
  id: 'ChargeTrigger',
  description:
    'every_cycle: at each cycle’s start (usage: at its end); first_cycle: once; on_demand: by a call; month, quarter, year: once in that time from the first charge on, whatever the contract’s cycle.',
});
const ArchivableStatus = z
  .enum(['active', 'archived'])
  .describe('active: can be sold or given; archived: only contracts that have it keep it.');

const FeatureValue = z.union([Name.min(1), z.boolean()]);

const FeatureRequest = z.strictObject({
  feature_id: idSchema('Feat').nullish().describe('Without effect: the slug says which feature it is.'),
  slug: Slug.describe('Name for machines, unique in the plan. It never changes: another slug means another feature.'),
  name: Name.min(1).describe('Name on invoices and in the portal.'),
  charge_trigger: ChargeTrigger.nullish().describe('When its price is charged. Default every_cycle, which is required for usage prices.'),
  group: Name.nullish().describe('Group the feature belongs to under the strategy `group`; null or absent for none.'),
  value: FeatureValue.nullish().describe(
    'What the feature gives in the place of a price, such as "priority" or true; entitlements show it. Null or absent for none.',
  ),
});

const pricesBySlug = bySlug(PriceRequest);

const PricingRequest = z.strictObject({
  pricing_id: PricingId.nullish().describe(
    'Accepted so that a plan can be sent back as it was read. A pricing is found by currency and cycle, and keeps its id while nothing in it changes.',
  ),
  currency: Currency.describe('Currency of all prices here; one pricing per currency and cycle.'),
  cycle: Cycle.describe('How often a contract of this pricing is charged.'),
  free_cycles: Count.nullish().describe(
    'First cycles in which recurring prices are free; usage is charged. Default 0; a contract can override it.',
  ),
  price: PriceRequest.nullish().describe('Price of the plan itself under the strategy `plan`; null or absent for none.'),
  features: pricesBySlug.nullish().describe('Prices by feature slug. A feature without a price is a plain entitlement.'),
  groups: pricesBySlug.nullish().describe('Prices by group name, under the strategy `group`.'),
  credits: PlanCreditsRequest.nullish().describe(
    'Prepaid credits that a contract gets with each cycle, free ones included and the trial not. They pay for what is used, and for no recurring price. Null or absent for none.',
  ),
});

export const PlanRequest = requiredToCreate(
  z.strictObject({
    id: idOrEmpty('Plan').describe('The plan to change; absent, null or empty text creates a new one.'),
    slug: Slug.optional().describe('Name for machines, unique among your plans. Required to create a plan.'),
    internal_name: Name.min(1).optional().describe('Name for your own people. Required to create a plan.'),
    external_name: Name.nullish().describe('Name on invoices and in the portal; null: the internal name is used.'),
    description: Text.nullish().describe('Text about the plan for customers; null for none.'),
    strategy: Strategy.optional().describe('Whether plan, features or groups have the price. Required to create a plan.'),
    free_trial_days: z
      .int()
      .min(0)
      .max(36_500)
      .nullish()
      .describe('Whole days of 24 hours before the first charge; cycles start when the trial ends. Default 0; a contract can override it.'),
    metadata: Metadata.nullish().describe('Your own notes for machines, replaced as a whole.'),
    change_rules: ChangeRulesRequest.nullish().describe(
      'Rules for changes of contracts of this plan, replaced as a whole; null: none. Running contracts keep theirs.',
    ),
    pause_rules: PauseRulesRequest.nullish().describe(
      'Rules for freezes of contracts of this plan, replaced as a whole; null: none. Running contracts keep theirs.',
    ),
    features: listOf(FeatureRequest, MAX_FEATURES)
      .nullish()
      .describe('All features, replaced as a whole; an absent feature is no longer sold.'),
    pricings: listOf(PricingRequest, 100, 1).optional().describe('All pricings, replaced as a whole. Required to create a plan.'),
  }),
  'slug',
  'internal_name',
  'strategy',
  'pricings',
).meta({
  id: 'PlanRequest',
  description: 'Without an id a plan is created; with one it is changed, and absent fields stay. Running contracts keep their own copy.',
});

export const Plan = z
  .object({
    id: PlanId.describe('Id of the plan; a contract is signed with it as `plan`.'),
    slug: z.string().describe('Name for machines, unique among your plans.'),
    internal_name: z.string().describe('Name for your own people.'),
    external_name: z.string().nullable().describe('Name on invoices and in the portal; null: the internal name is used.'),
    description: z.string().nullable().describe('Text about the plan for customers; null for none.'),
    strategy: Strategy.describe('Whether plan, features or groups have the price.'),
    free_trial_days: z.int().min(0).describe('Whole days of 24 hours before the first charge; 0 for no trial.'),
    metadata: z.record(z.string(), z.string()).describe('Your own notes for machines; empty for none.'),
    change_rules: OwnChangeRules.describe('Rules for changes of its contracts, unless a contract has its own.'),
    pause_rules: OwnPauseRules.describe('What a freeze means for its contracts.'),
    status: ArchivableStatus.describe('Whether new contracts may be signed.'),
    created: Timestamp.describe('When the plan was created, on the wall clock.'),
    features: z
      .array(
        z.object({
          feature_id: idSchema('Feat').describe('Id of the feature; it stays the same for the same slug.'),
          slug: z.string().describe('Name for machines, used in usage events and entitlements.'),
          name: z.string().describe('Name on invoices and in the portal.'),
          charge_trigger: ChargeTrigger.describe('When its price is charged.'),
          group: z.string().nullable().describe('Group the feature belongs to; null for none.'),
          value: z.union([z.string(), z.boolean()]).nullable().describe('What it gives in the place of a price; null for none.'),
        }),
      )
      .describe('What the plan contains, in your order.'),
    pricings: z
      .array(
        z.object({
          pricing_id: PricingId.describe(
            'Id of the pricing; a contract can be signed with it as `pricing_id`. A pricing whose prices change gets a new id.',
          ),
          currency: Currency.describe('Currency of all prices here.'),
          cycle: Cycle.describe('How often a contract of this pricing is charged.'),
          free_cycles: z.int().min(0).describe('First cycles in which recurring prices are free.'),
          price: CataloguePrice.nullable().describe('Price of the plan itself; null for none.'),
          features: z.record(z.string(), CataloguePrice).describe('Prices by feature slug.'),
          groups: z.record(z.string(), CataloguePrice).describe('Prices by group name.'),
          credits: PlanCredits.nullable().describe('Prepaid credits that come with each cycle; null for none.'),
        }),
      )
      .describe('One pricing for each currency and cycle in which the plan is sold.'),
  })
  .meta({ id: 'Plan', description: 'A plan of the catalogue, which contracts copy when they are signed.' });

export const PlanVersion = Plan.omit({ id: true, status: true, created: true })
  .extend({
    version: z.int().min(1).describe('Number of the version, from 1.'),
    began: Timestamp.describe('When the plan was saved like this, on the wall clock.'),
    ended: Timestamp.nullable().describe('When the next version began; null for the one that is sold now.'),
  })
  .meta({ id: 'PlanVersion', description: 'What a plan held from one update to the next. Contracts signed meanwhile have a copy of it.' });
export const PlanVersionPage = paginated(PlanVersion, 'PlanVersionPage');

export const PlanPage = paginated(Plan, 'PlanPage');
export const PlanSearch = z.strictObject({
  slug: Name.optional().describe('Only the plan with exactly this slug.'),
  status: ArchivableStatus.optional().describe('Only plans in this state.'),
  ...pagingQuery,
});

export const DiscountType = z
  .enum(['percentage', 'flat'])
  .meta({ id: 'DiscountType', description: 'percentage: a share of the recurring charges; flat: an amount of money off them.' });

export const DiscountRequest = requiredToCreate(
  z.strictObject({
    id: idOrEmpty('Disc').describe('The discount to change; absent, null or empty text creates a new one.'),
    slug: Slug.optional().describe('Name for machines, unique among your discounts. Required to create one.'),
    name: Name.min(1).optional().describe('Name on invoices. Required to create one.'),
    discount_type: DiscountType.optional().describe('Whether `amount` is a percentage or money. Required to create one.'),
    amount: DecimalInput.optional().describe(
      'Percent of the recurring charges ("10" is 10 %), or money off them in each cycle; the total never goes below zero. Required to create one.',
    ),
    duration: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('How many billing cycles it lasts: 3 discounts the first three months of a monthly contract. Required to create one.'),
    currency: Currency.nullish().describe(
      'Currency of a flat amount, only for contracts in that currency; null or absent for a percentage.',
    ),
  }),
  'slug',
  'name',
  'discount_type',
  'amount',
  'duration',
).meta({
  id: 'DiscountRequest',
  description:
    'Without an id a discount is created; with one it is changed, and absent fields stay. Running contracts keep their own copy.',
});

export const Discount = z
  .object({
    id: DiscountId.describe('Id of the discount; a contract is signed with it as `discount_id`.'),
    slug: z.string().describe('Name for machines, unique among your discounts.'),
    name: z.string().describe('Name on invoices.'),
    discount_type: DiscountType.describe('Whether `amount` is a percentage or money.'),
    amount: DecimalText.describe('Percent ("10" is 10 %), or money off each cycle ("5.00").'),
    duration: z.int().describe('How many billing cycles it lasts.'),
    currency: Currency.nullable().describe('Currency of a flat amount; null for a percentage.'),
    status: ArchivableStatus.describe('Whether it can still be given.'),
    created: Timestamp.describe('When the discount was created, on the wall clock.'),
  })
  .meta({ id: 'Discount', description: 'A discount of the catalogue, which contracts copy when they get it.' });

export const DiscountPage = paginated(Discount, 'DiscountPage');
export const DiscountSearch = z.strictObject({
  slug: Name.optional().describe('Only the discount with exactly this slug.'),
  status: ArchivableStatus.optional().describe('Only discounts in this state.'),
  ...pagingQuery,
});
