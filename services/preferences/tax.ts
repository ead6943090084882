import type { EntityManager } from '@mikro-orm/postgresql';
import type { TaxPolicy, TaxRate } from '../../billing/invoice/types.ts';
import type { Tx } from '../../db/connect.ts';
import { type Seller, TaxRateRecord, Vendor } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { lockVendor } from './lock.ts';

export interface TaxPreferences {
  rates: TaxRate[];
  policy: TaxPolicy;
  seller: Seller | null;
}

export async function readTax(em: EntityManager, vendorId: string): Promise<TaxPreferences> {
  const { taxRates, taxPolicy, seller } = await em.findOneOrFail(Vendor, { id: vendorId }, { populate: ['taxRates'] });
  return { rates: taxRates.getItems(), policy: taxPolicy, seller };
}

/** Absent = unchanged; the rates are replaced as a whole. Lines written before are taxed as they were. */
export async function changeTax(tx: Tx, vendorId: string, given: Partial<TaxPreferences>): Promise<void> {
  const { em } = tx;
  const vendor = await lockVendor(tx, vendorId);
  if (given.policy !== undefined) vendor.taxPolicy = given.policy;
  if (given.seller !== undefined) vendor.seller = given.seller;
  if (given.rates !== undefined) {
    const rates = given.rates.map((rate, position) => em.create(TaxRateRecord, { ...rate, id: newId('Tax'), vendor, position }));
    await vendor.taxRates.init();
    vendor.taxRates.set(rates);
  }
  await em.flush();
}
