import type { Database } from '../../db/connect.ts';
import { billLane } from '../../services/bill-run/bill-lane.ts';
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
/** Milliseconds: longer than any sweep takes. */
const PATIENCE = 600_000;

/** The batches of a bill run without a single workflow: what they do with the machine to themselves. */
export async function sweep(db: Database, herd: Herd, meter: Meter = NO_METER): Promise<Result & { sweepCost: number[] }> {
  await fallDue(db, herd, Date.now() - 1_000);
  await meter.began();
  const began = performance.now();
  await Promise.all(Array.from({ length: LANES }, (_, lane) => billLane(db, { lane, lanes: LANES, after: null }, PATIENCE)));
  const seconds = (performance.now() - began) / 1000;
  const sweepCost = await meter.ended();
  const size = herd.ids.length;
  const result = { name: 'sweep', size, seconds, perSecond: size / seconds, ...(await wrongOf(db, herd)), sweepCost };
  await db.query('delete from outbox where sent < wanted');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return result;
}
