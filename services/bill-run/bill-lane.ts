import type { Database } from '../../db/connect.ts';
import type { Lane } from '../../db/sql/contract/due-of-vendor.ts';
import type { BatchResult } from '../contract/batch.ts';
import { billBatch } from './bill-batch.ts';

/** How far a lane has come, batch by batch. */
export interface LaneProgress {
  contracts: number;
  batches: number;
  parked: BatchResult['parked'];
  /** the vendor of the last batch: the next one goes on with the vendor after it */
  after: string | null;
  /** nothing is due in this lane, or nothing that could be billed now */
  isDone: boolean;
}

/**
 * Bills a lane of a bill run for a while: batch by batch, each a transaction of its own, the vendors in turn, until
 * nothing is due or a whole round has found nothing that it could bill.
 *
 * @param budgetMs after which no further batch begins
 */
export async function billLane(db: Database, lane: Lane & { after: string | null }, budgetMs: number): Promise<LaneProgress> {
  const progress: LaneProgress = { contracts: 0, batches: 0, parked: [], after: lane.after, isDone: false };
  const idle = new Set<string>();
  const until = performance.now() + budgetMs;
  while (!progress.isDone && performance.now() < until) {
    const ask = { ...lane, after: progress.after };
    const { vendorId, contracts, parked } = await db.transaction((tx) => billBatch(tx, ask), { prepare: true, by: 'bill_run' });
    if (contracts > 0 || parked.length > 0) idle.clear();
    progress.isDone = vendorId === null || (contracts + parked.length === 0 && idle.has(vendorId));
    if (vendorId === null) break;
    if (contracts + parked.length === 0) idle.add(vendorId);
    else progress.batches += 1;
    progress.contracts += contracts;
    progress.parked.push(...parked);
    progress.after = vendorId;
  }
  return progress;
}
