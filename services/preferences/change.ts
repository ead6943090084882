import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CHANGE_DIRECTIONS,
  type ChangeDirection,
  type ChangeRule,
  type GivenChangeRules,
} from '../../billing/contract/terms/change-rules.ts';
import type { Tx } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What changes of a vendor's contracts follow, unless the plan or the contract says otherwise. */
export async function readChangeRules(em: EntityManager, vendorId: string): Promise<GivenChangeRules> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).changeRules;
}

/**
 * Changes the directions that are given, null = the default again, and leaves the rest. Contracts signed before have a
 * copy of their own.
 */
export async function setChangeRules(
  tx: Tx,
  vendorId: string,
  changed: { [Direction in ChangeDirection]?: ChangeRule | null },
): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  const rules: GivenChangeRules = {};
  for (const direction of CHANGE_DIRECTIONS) {
    const rule = changed[direction] === undefined ? vendor.changeRules[direction] : changed[direction];
    if (rule != null) rules[direction] = rule;
  }
  vendor.changeRules = rules;
  await tx.em.flush();
}
