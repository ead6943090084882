import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Discount, type DiscountRecord } from '../../db/entities/catalogue.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { violatedConstraint } from '../../db/sql-state.ts';

export type CatalogueDiscount = Omit<DiscountRecord, 'vendor'>;

export const readDiscount = (em: EntityManager, vendorId: string, id: string): Promise<DiscountRecord | null> =>
  em.findOne(Discount, { id, vendor: vendorId });

/** The discount, locked until the transaction ends, so that a second change is made on top of the first. */
export const lockDiscount = ({ em }: Tx, vendorId: string, id: string): Promise<DiscountRecord | null> =>
  em.findOne(Discount, { id, vendor: vendorId }, FOR_UPDATE);

/** Writes a discount; contracts keep their own copies. */
export async function saveDiscount({ em }: Tx, vendorId: string, discount: CatalogueDiscount): Promise<void> {
  try {
    await em.upsert(Discount, { ...discount, vendor: vendorId });
  } catch (error) {
    if (violatedConstraint(error) === 'discount_slug_unique') {
      throw new Refusal('slug_taken', 'another discount has this slug', { slug: 'is taken' });
    }
    throw error;
  }
}

export async function archiveDiscount({ em }: Tx, vendorId: string, id: string): Promise<boolean> {
  return (await em.nativeUpdate(Discount, { id, vendor: vendorId }, { status: 'archived' })) > 0;
}
