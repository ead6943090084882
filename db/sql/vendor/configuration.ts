import type { Configuration } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';

/** What a vendor's contracts are signed with. SQL: part of every signing, where an entity costs seven times as much. */
export async function configurationOfVendor(tx: Queryable, vendorId: string): Promise<Configuration> {
  const [vendor] = await tx.query<{ invoicing: Configuration }>('select invoicing from vendor where id = $1', [vendorId]);
  if (vendor === undefined) throw new Error(`the vendor ${vendorId} does not exist`);
  return vendor.invoicing;
}
