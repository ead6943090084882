import type { EntityManager } from '@mikro-orm/postgresql';
import type { GivenPauseRules } from '../../billing/contract/period/pause-rules.ts';
import type { Tx } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What a freeze means for a vendor's contracts, unless their plan says otherwise. */
export async function readPauseRules(em: EntityManager, vendorId: string): Promise<GivenPauseRules> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).pauseRules;
}

/**
 * Changes the rules that are given and leaves the rest. Contracts signed before have a copy of their own.
 *
 * @param rule the vendor's rules after the change, from those before it
 */
export async function setPauseRules(tx: Tx, vendorId: string, rule: (before: GivenPauseRules) => GivenPauseRules): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  vendor.pauseRules = rule(vendor.pauseRules);
  await tx.em.flush();
}
