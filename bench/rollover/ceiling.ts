import type { Logger } from 'pino';
import { Carrier } from '../../activities/contract/carrier.ts';
import type { Database } from '../../db/connect.ts';
import { wrongOf } from './books.ts';
import { fallDue, type Herd } from './herd.ts';
import type { Result } from './measure.ts';

/** The plain due list, without a single workflow: what a worker's carrier does with the machine to itself. */
export async function sweep(db: Database, herd: Herd, log: Logger): Promise<Result> {
  await fallDue(db, herd, Date.now() - 1_000);
  const carrier = new Carrier({ db, log, deliver: async () => undefined });
  const began = performance.now();
  await carrier.carry();
  const seconds = (performance.now() - began) / 1000;
  const size = herd.ids.length;
  const result = { name: 'sweep', size, seconds, perSecond: size / seconds, ...(await wrongOf(db, herd)) };
  await db.query('delete from wish where delivered_at is null');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return result;
}
