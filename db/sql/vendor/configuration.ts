import type { GivenPauseRules } from '../../../billing/contract/period/pause-rules.ts';
import type { GivenChangeRules } from '../../../billing/contract/terms/change-rules.ts';
import type { Configuration } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';

/** What a vendor's contracts copy when they are signed, unless plan, customer or contract say otherwise. */
export interface VendorTerms {
  invoicing: Configuration;
  changeRules: GivenChangeRules;
  pauseRules: GivenPauseRules;
}

const SQL = `select invoicing, change_rules as "changeRules", pause_rules as "pauseRules" from vendor where id = $1`;

/** What a vendor's contracts are signed with. SQL: part of every signing, where an entity costs seven times as much. */
export async function termsOfVendor(tx: Queryable, vendorId: string): Promise<VendorTerms> {
  const [vendor] = await tx.query<VendorTerms>(SQL, [vendorId]);
  if (vendor === undefined) throw new Error(`the vendor ${vendorId} does not exist`);
  return vendor;
}
