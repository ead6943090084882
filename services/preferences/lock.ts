import type { Tx } from '../../db/connect.ts';
import { Vendor, type VendorRecord } from '../../db/entities/vendor.ts';
import { lockOne } from '../../db/sql/lock.ts';

/**
 * A vendor locked against other changes of its preferences; sales go on, for their rows point at the vendor's key
 * alone.
 */
export async function lockVendor({ em }: Tx, vendorId: string): Promise<VendorRecord> {
  const vendor = await lockOne(em, Vendor, { id: vendorId }, 'no key update');
  if (vendor === null) throw new Error(`the vendor ${vendorId} does not exist`);
  return vendor;
}
