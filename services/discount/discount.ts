import type { Instant } from '../../billing/calendar/instant.ts';
import type { DiscountType } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import type { List } from '../../db/list/page.ts';
import { Where } from '../../db/list/where.ts';
import { stamp, upsertRows } from '../../db/rows.ts';
import { violatedConstraint } from '../../db/sql-state.ts';

export interface CatalogueDiscount {
  id: string;
  slug: string;
  name: string;
  type: DiscountType;
  amount: string;
  duration: number;
  currency: Currency | null;
  status: 'active' | 'archived';
  created: Instant;
}

const COLUMNS = `id, slug, name, discount_type as type, amount, duration, currency, status, created`;

export async function readDiscount(db: Queryable, vendorId: string, id: string, lock = false): Promise<CatalogueDiscount | null> {
  const [row] = await db.query<CatalogueDiscount>(
    `select ${COLUMNS} from discount where vendor_id = $1 and id = $2 ${lock ? 'for update' : ''}`,
    [vendorId, id],
  );
  return row ?? null;
}

export function discountList(vendorId: string, filter: { slug?: string | undefined; status?: string | undefined }): List {
  return {
    from: 'discount',
    select: COLUMNS,
    at: 'discount.created',
    id: 'discount.id',
    where: new Where().and('vendor_id = ?', vendorId).andGiven('slug = ?', filter.slug).andGiven('status = ?', filter.status),
  };
}

/** Contracts keep the copy they were given. */
export async function saveDiscount(tx: Queryable, vendorId: string, discount: CatalogueDiscount): Promise<void> {
  const { id, slug, name, type, amount, duration, currency, status, created } = discount;
  const row = { id, vendor_id: vendorId, slug, name, discount_type: type, amount, duration, currency, status, created: stamp(created) };
  try {
    await upsertRows(tx, 'discount', ['id'], [row]);
  } catch (error) {
    if (violatedConstraint(error) === 'discount_slug_unique') {
      throw new Refusal('slug_taken', 'another discount has this slug', { slug: 'is taken' });
    }
    throw error;
  }
}

export async function archiveDiscount(tx: Queryable, vendorId: string, id: string): Promise<boolean> {
  const rows = await tx.query(`update discount set status = 'archived' where vendor_id = $1 and id = $2 returning id`, [vendorId, id]);
  return rows.length > 0;
}
