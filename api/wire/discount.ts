import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { newId } from '../../db/id.ts';
import type { CatalogueDiscount } from '../../services/discount/discount.ts';
import type { Discount, DiscountRequest } from '../schema/plan.ts';
import { priceAmountToWire } from './price.ts';

/**
 * The amount of a discount: money with its currency's digits when it is flat, a plain number when it is a percentage.
 */
export const discountAmountToWire = ({ type, amount }: Pick<CatalogueDiscount, 'type' | 'amount'>, currency: Currency | null): string =>
  type === 'flat' && currency !== null ? priceAmountToWire(amount, currency) : amount;

export const discountToWire = (discount: CatalogueDiscount): z.input<typeof Discount> => ({
  id: discount.id,
  slug: discount.slug,
  name: discount.name,
  discount_type: discount.type,
  amount: discountAmountToWire(discount, discount.currency),
  duration: discount.duration,
  currency: discount.currency,
  status: discount.status,
  created: iso(discount.created),
});

/** The discount after a request; absent fields stay as in the current one. */
export function discountFromWire(body: z.output<typeof DiscountRequest>, current: CatalogueDiscount | null, at: number): CatalogueDiscount {
  return {
    id: current?.id ?? newId('Disc'),
    slug: body.slug ?? current?.slug ?? '',
    name: body.name ?? current?.name ?? '',
    type: body.discount_type ?? current?.type ?? 'percentage',
    amount: body.amount ?? current?.amount ?? '0',
    duration: body.duration ?? current?.duration ?? 0,
    currency: body.currency === undefined ? (current?.currency ?? null) : body.currency,
    status: current?.status ?? 'active',
    created: current?.created ?? at,
  };
}
