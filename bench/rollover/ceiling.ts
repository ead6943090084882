import type { Logger } from 'pino';
import { Carrier } from '../../activities/contract/carrier.ts';
import type { Database } from '../../db/connect.ts';
import { wrongOf } from './books.ts';
import { fallDue, type Herd } from './herd.ts';
import type { Result } from './measure.ts';

/** Looks taken right before and right after the sweep; what the second gives comes with the result. */
interface Meter {
  began(): Promise<void>;
  ended(): Promise<number[]>;
}

const NO_METER: Meter = { began: async () => undefined, ended: async () => [] };

/** The plain due list, without a single workflow: what a worker's carrier does with the machine to itself. */
export async function sweep(db: Database, herd: Herd, log: Logger, meter: Meter = NO_METER): Promise<Result & { cost: number[] }> {
  await fallDue(db, herd, Date.now() - 1_000);
  const carrier = new Carrier({ db, log, deliver: async () => undefined });
  await meter.began();
  const began = performance.now();
  await carrier.carry();
  const seconds = (performance.now() - began) / 1000;
  const cost = await meter.ended();
  const size = herd.ids.length;
  const result = { name: 'sweep', size, seconds, perSecond: size / seconds, ...(await wrongOf(db, herd)), cost };
  await db.query('delete from wish where delivered_at is null');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return result;
}
