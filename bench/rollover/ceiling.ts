import type { Database } from '../../db/connect.ts';
import { advanceContracts } from '../../db/contract/advance.ts';
import { dueContracts } from '../../db/contract/due.ts';
import { wrongOf } from './books.ts';
import { makeHerd } from './herd.ts';
import type { Result } from './measure.ts';

const AT_ONCE = 200;

/** The plain due list, without a single workflow: one process, one connection, 200 contracts a transaction. */
export async function sweep(db: Database, size: number): Promise<Result> {
  const dueAt = Date.now() - 1_000;
  const herd = await makeHerd(db, size, dueAt);
  for (let from = 0; from < size; from += AT_ONCE) {
    const ids = herd.ids.slice(from, from + AT_ONCE);
    await db.transaction((tx) => advanceContracts(tx, [{ ids, lock: 'wait' }], dueAt - 1));
  }
  const began = performance.now();
  for (;;) {
    const done = await db.transaction(async (tx) => {
      const ids = await dueContracts(tx, null, dueAt, AT_ONCE);
      await advanceContracts(tx, [{ ids, lock: 'skip' }], dueAt);
      return ids.length;
    });
    if (done === 0) break;
  }
  const seconds = (performance.now() - began) / 1000;
  await db.query('delete from wish where delivered_at is null');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return { name: 'due-list sweep, no workflows', size, seconds, perSecond: size / seconds, ...(await wrongOf(db, herd)) };
}
