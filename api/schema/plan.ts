import { z } from 'zod';
import {
  Count,
  Currency,
  Cycle,
  DecimalInput,
  DecimalText,
  DiscountId,
  idOf,
  idOrEmpty,
  Metadata,
  Name,
  PlanId,
  PricingId,
  requiredToMake,
  Slug,
  Text,
  Timestamp,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';
import { CataloguePrice, PriceRequest } from './price.ts';

export const Strategy = z
  .enum(['plan', 'group', 'feature'])
  .meta({ id: 'Strategy', description: 'plan: the plan carries a price; group: groups of features do; feature: each feature does' });
export const ChargeTrigger = z.enum(['every_cycle', 'first_cycle', 'on_demand', 'month', 'quarter', 'year']).meta({ id: 'ChargeTrigger' });
const ArchivableStatus = z.enum(['active', 'archived']);

const FeatureRequest = z.strictObject({
  slug: Slug,
  name: Name.min(1),
  charge_trigger: ChargeTrigger.nullish(),
  group: Name.nullish(),
});

const pricesBySlug = z.record(z.string(), PriceRequest);

const PricingRequest = z.strictObject({
  pricing_id: PricingId.nullish(),
  currency: Currency,
  cycle: Cycle,
  free_cycles: Count.nullish(),
  price: PriceRequest.nullish(),
  features: pricesBySlug.nullish(),
  groups: pricesBySlug.nullish(),
});

export const PlanRequest = requiredToMake(
  z.strictObject({
    id: idOrEmpty('Plan'),
    slug: Slug.optional(),
    internal_name: Name.min(1).optional(),
    external_name: Name.nullish(),
    description: Text.nullish(),
    strategy: Strategy.optional(),
    free_trial_days: z.int().min(0).max(36_500).nullish(),
    metadata: Metadata.nullish(),
    features: z.array(FeatureRequest).max(200).nullish(),
    pricings: z.array(PricingRequest).min(1).max(100).optional(),
  }),
  'slug',
  'internal_name',
  'strategy',
  'pricings',
).meta({ id: 'PlanRequest', description: 'without an id: make; with one: change, and what is absent stays as it is' });

export const Plan = z
  .object({
    id: PlanId,
    slug: z.string(),
    internal_name: z.string(),
    external_name: z.string().nullable(),
    description: z.string().nullable(),
    strategy: Strategy,
    free_trial_days: z.int().min(0),
    metadata: z.record(z.string(), z.string()),
    status: ArchivableStatus,
    created: Timestamp,
    features: z.array(
      z.object({
        feature_id: idOf('Feat'),
        slug: z.string(),
        name: z.string(),
        charge_trigger: ChargeTrigger,
        group: z.string().nullable(),
      }),
    ),
    pricings: z.array(
      z.object({
        pricing_id: PricingId,
        currency: Currency,
        cycle: Cycle,
        free_cycles: z.int().min(0),
        price: CataloguePrice.nullable(),
        features: z.record(z.string(), CataloguePrice),
        groups: z.record(z.string(), CataloguePrice),
      }),
    ),
  })
  .meta({ id: 'Plan' });

export const PlanPage = paginated(Plan, 'PlanPage');
export const PlanSearch = z.strictObject({ slug: Name.optional(), status: ArchivableStatus.optional(), ...pagingQuery });

export const DiscountType = z.enum(['percentage', 'flat']).meta({ id: 'DiscountType' });

export const DiscountRequest = requiredToMake(
  z.strictObject({
    id: idOrEmpty('Disc'),
    slug: Slug.optional(),
    name: Name.min(1).optional(),
    discount_type: DiscountType.optional(),
    amount: DecimalInput.optional(),
    duration: z.int().min(1).max(100_000).optional(),
    currency: Currency.nullish().meta({ description: 'for flat discounts' }),
  }),
  'slug',
  'name',
  'discount_type',
  'amount',
  'duration',
).meta({ id: 'DiscountRequest' });

export const Discount = z
  .object({
    id: DiscountId,
    slug: z.string(),
    name: z.string(),
    discount_type: DiscountType,
    amount: DecimalText,
    duration: z.int(),
    currency: Currency.nullable(),
    status: ArchivableStatus,
    created: Timestamp,
  })
  .meta({ id: 'Discount' });

export const DiscountPage = paginated(Discount, 'DiscountPage');
export const DiscountSearch = z.strictObject({ slug: Name.optional(), status: ArchivableStatus.optional(), ...pagingQuery });
