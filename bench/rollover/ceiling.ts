import type { Database } from '../../db/connect.ts';
import { billBatch } from '../../services/bill-run/bill-batch.ts';
import type { BatchRef } from '../../workflows/messages.ts';
import { wrongOf } from './books.ts';
import { fallDue, type Herd } from './herd.ts';
import type { Result } from './measure.ts';

/** Looks taken right before and right after the sweep; what the second gives comes with the result. */
interface Meter {
  began(): Promise<void>;
  ended(): Promise<number[]>;
}

const NO_METER: Meter = { began: async () => undefined, ended: async () => [] };
/** As many as a bill run has. */
const LANES = 2;

/** The batches of a bill run without a single workflow: what they do with the machine to themselves. */
export async function sweep(db: Database, herd: Herd, meter: Meter = NO_METER): Promise<Result & { sweepCost: number[] }> {
  await fallDue(db, herd, Date.now() - 1_000);
  await meter.began();
  const began = performance.now();
  await Promise.all(Array.from({ length: LANES }, (_, lane) => billLane(db, lane)));
  const seconds = (performance.now() - began) / 1000;
  const sweepCost = await meter.ended();
  const size = herd.ids.length;
  const result = { name: 'sweep', size, seconds, perSecond: size / seconds, ...(await wrongOf(db, herd)), sweepCost };
  await db.query('delete from outbox where sent < wanted');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return result;
}

/** Goes round the vendors until a whole round has billed nothing. */
async function billLane(db: Database, lane: number): Promise<void> {
  let after: string | null = null;
  for (let billed = 0; ; ) {
    const ask: BatchRef = { lane, lanes: LANES, after };
    const batch = await db.transaction((tx) => billBatch(tx, ask), { prepare: true, by: 'bill_run' });
    after = batch.vendorId;
    billed += batch.contracts;
    if (after !== null) continue;
    if (billed === 0) return;
    billed = 0;
  }
}
