import { nowOf } from '../../db/sql/clock/now-of.ts';
import { dueOfVendor, type Lane } from '../../db/sql/contract/due-of-vendor.ts';
import { nextDueVendor } from '../../db/sql/contract/next-due-vendor.ts';
import type { Tx } from '../../db/transaction.ts';
import { advanceBatch } from '../contract/advance.ts';
import type { BatchResult } from '../contract/batch.ts';

/** Contracts in one transaction. */
const AT_ONCE = 100;

interface Billed {
  /** null: nothing is due in this lane */
  vendorId: string | null;
  contracts: number;
  parked: BatchResult['parked'];
}

/**
 * Bills up to 100 contracts of the vendor that comes next: one vendor after the other, so that one with many contracts
 * never delays another with few. Contracts that another transaction has locked are left to it.
 */
export async function billBatch(tx: Tx, { after, ...lane }: Lane & { after: string | null }): Promise<Billed> {
  const now = await nowOf(tx, null);
  const vendorId = (await nextDueVendor(tx, now, lane, after)) ?? (after === null ? null : await nextDueVendor(tx, now, lane, null));
  if (vendorId === null) return { vendorId, contracts: 0, parked: [] };
  const ids = await dueOfVendor(tx, vendorId, now, lane, AT_ONCE);
  const { decided, parked } = await advanceBatch(tx, ids, now, { lock: 'skip' });
  return { vendorId, contracts: decided.length, parked };
}
