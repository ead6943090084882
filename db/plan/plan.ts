import type { Cycle } from '../../billing/calendar/cycle.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { ChargeTrigger, PlanStrategy, Price } from '../../billing/pricing/price.ts';

/** A plan in the catalogue, with its features and the pricings it is sold at now. */
export interface CataloguePlan {
  id: string;
  slug: string;
  internalName: string;
  externalName: string | null;
  description: string | null;
  strategy: PlanStrategy;
  freeTrialDays: number;
  metadata: Record<string, string>;
  status: 'active' | 'archived';
  created: Instant;
  features: CatalogueFeature[];
  pricings: CataloguePricing[];
}

export interface CatalogueFeature {
  id: string;
  slug: string;
  name: string;
  chargeTrigger: ChargeTrigger;
  group: string | null;
}

export interface CataloguePricing {
  id: string;
  currency: Currency;
  cycle: Cycle;
  freeCycles: number;
  price: Price | null;
  features: Record<string, Price>;
  groups: Record<string, Price>;
}
