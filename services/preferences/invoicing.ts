import type { EntityManager } from '@mikro-orm/postgresql';
import type { Configuration } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { type NumberFormat, Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What a vendor's contracts fall back to. */
export async function readInvoicing(em: EntityManager, vendorId: string): Promise<Configuration> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).invoicing;
}

export async function readNumberFormat(em: EntityManager, vendorId: string): Promise<NumberFormat> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).numberFormat;
}

/**
 * Changes what is given and leaves the rest. Contracts signed before have a copy of their own; documents made before
 * keep their numbers as they were printed.
 */
export async function changeInvoicing(
  tx: Tx,
  vendorId: string,
  given: Partial<Configuration>,
  numbers: Partial<NumberFormat>,
): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  vendor.invoicing = { ...vendor.invoicing, ...given };
  vendor.numberFormat = { ...vendor.numberFormat, ...numbers };
  await tx.em.flush();
}
