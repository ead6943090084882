import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { newId } from '../../db/id.ts';
import type { CatalogueDiscount } from '../../services/discount/discount.ts';
import type { Discount, DiscountRequest } from '../schema/plan.ts';
import { priceAmountToWire } from './price.ts';

/** A flat discount is money of its currency, a percentage a plain number. */
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

/** What a request describes, on top of the present discount: absent = unchanged. */
export function discountFromWire(body: z.output<typeof DiscountRequest>, present: CatalogueDiscount | null, at: number): CatalogueDiscount {
  return {
    id: present?.id ?? newId('Disc'),
    slug: body.slug ?? present?.slug ?? '',
    name: body.name ?? present?.name ?? '',
    type: body.discount_type ?? present?.type ?? 'percentage',
    amount: body.amount ?? present?.amount ?? '0',
    duration: body.duration ?? present?.duration ?? 0,
    currency: body.currency === undefined ? (present?.currency ?? null) : body.currency,
    status: present?.status ?? 'active',
    created: present?.created ?? at,
  };
}
