import { choosePricing, type Offer, type PricingChoice } from '../../billing/contract/terms/offer.ts';
import type { GivenDiscount } from '../../billing/contract/terms/sign.ts';
import type { DiscountType } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { readPlan } from '../../db/sql/plan/read.ts';

/**
 * What the catalogue sells now under a plan's id.
 *
 * @throws Refusal `plan_not_found`, `plan_archived`, `pricing_not_found`
 */
export async function readOffer(tx: Queryable, vendorId: string, planId: string, input: PricingChoice, field?: string): Promise<Offer> {
  const plan = await readPlan(tx, vendorId, planId);
  if (plan === null) throw new Refusal('plan_not_found', `There is no plan ${planId}.`, { plan: planId });
  if (plan.status === 'archived') throw new Refusal('plan_archived', `The plan ${planId} is not sold any more.`, { plan: planId });
  return { plan, pricing: choosePricing(plan.pricings, input, field) };
}

interface DiscountRow {
  id: string;
  slug: string;
  name: string;
  type: DiscountType;
  amount: string;
  currency: Currency | null;
  duration: number;
  status: string;
}

/** @throws Refusal `discount_not_found`, `discount_archived` */
export async function requireDiscount(tx: Queryable, vendorId: string, discountId: string): Promise<GivenDiscount> {
  const [row] = await tx.query<DiscountRow>(
    `select id, slug, name, discount_type as type, amount, currency, duration, status from discount where vendor_id = $1 and id = $2`,
    [vendorId, discountId],
  );
  if (row === undefined) throw new Refusal('discount_not_found', `There is no discount ${discountId}.`, { discount_id: discountId });
  if (row.status === 'archived') throw new Refusal('discount_archived', `The discount ${discountId} is not given any more.`);
  const { id, status: _status, ...discount } = row;
  return { ...discount, originalDiscountId: id };
}
