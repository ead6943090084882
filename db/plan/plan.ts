import type { Instant } from '../../billing/calendar/instant.ts';
import type { OfferedPlan, OfferedPricing } from '../../billing/contract/terms/offer.ts';

/** A plan in the catalogue, with its features and the pricings it is sold at now. */
export interface CataloguePlan extends OfferedPlan {
  metadata: Record<string, string>;
  status: 'active' | 'archived';
  created: Instant;
  pricings: OfferedPricing[];
}

/** What one version of a plan holds: all that an update can change. */
export type HeldPlan = Omit<CataloguePlan, 'id' | 'status' | 'created'>;
