import type { EntityManager } from '@mikro-orm/postgresql';
import type { Configuration } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What a vendor's contracts fall back to. */
export async function readInvoicing(em: EntityManager, vendorId: string): Promise<Configuration> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).invoicing;
}

/** Changes what is given and leaves the rest. Contracts signed before have a copy of their own. */
export async function changeInvoicing(tx: Tx, vendorId: string, given: Partial<Configuration>): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  vendor.invoicing = { ...vendor.invoicing, ...given };
  await tx.em.flush();
}
