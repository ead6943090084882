import type { DiscountType } from '../../../billing/contract/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** A discount as contracts get it. */
export interface DiscountRow {
  id: string;
  slug: string;
  name: string;
  type: DiscountType;
  amount: string;
  currency: Currency | null;
  duration: number;
  status: string;
}

const SQL = `select id, slug, name, discount_type as type, amount, currency, duration, status from discount where vendor_id = $1 and id = $2`;

/** A vendor's discount. SQL: estimates that run together send this statement only once. */
export async function findDiscount(db: Queryable, vendorId: string, discountId: string): Promise<DiscountRow | null> {
  const [row] = await db.query<DiscountRow>(SQL, [vendorId, discountId]);
  return row ?? null;
}
