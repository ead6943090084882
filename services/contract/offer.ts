import { choosePricing, type Offer, type PricingChoice } from '../../billing/contract/terms/offer.ts';
import type { GivenDiscount } from '../../billing/contract/terms/sign.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { findDiscount } from '../../db/sql/plan/discount.ts';
import { readPlan } from '../../db/sql/plan/read.ts';

/**
 * What the catalogue sells now under a plan's id.
 *
 * @throws Refusal `plan_not_found`, `plan_archived`, `pricing_not_found`
 */
export async function readOffer(tx: Queryable, vendorId: string, planId: string, input: PricingChoice, path?: string): Promise<Offer> {
  const plan = await readPlan(tx, vendorId, planId);
  if (plan === null) throw new Refusal('plan_not_found', `There is no plan ${planId}.`, 'plan');
  if (plan.status === 'archived')
    throw new Refusal('plan_archived', `The plan ${planId} is not sold any more.`, {
      plan: 'is archived: give a plan that is sold',
    });
  return { plan, pricing: choosePricing(plan.pricings, input, path) };
}

/** @throws Refusal `discount_not_found`, `discount_archived` */
export async function requireDiscount(tx: Queryable, vendorId: string, discountId: string): Promise<GivenDiscount> {
  const row = await findDiscount(tx, vendorId, discountId);
  if (row === null) throw new Refusal('discount_not_found', `There is no discount ${discountId}.`, 'discount_id');
  if (row.status === 'archived')
    throw new Refusal('discount_archived', `The discount ${discountId} is not given any more.`, {
      discount_id: 'is archived: leave it out, or give a discount that is still given',
    });
  const { id: originalDiscountId, slug, name, type, amount, currency, duration } = row;
  return { originalDiscountId, slug, name, type, amount, currency, duration };
}
