import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../../db/connect.ts';
import { hasLater } from '../../db/sql/event/has-later.ts';
import { settleLog } from '../../db/sql/event/settle.ts';

/** Milliseconds between two looks: short transactions end in that time, and no reader waits for a long one. */
const WAITS = [5, 10, 20, 40, 80, 160, 320];

/**
 * The number up to which a reader may see the logs of a vendor: a reader that goes on from there gets each row exactly
 * once, however late a transaction with a smaller number commits. It waits a little if such a transaction holds up rows
 * that the vendor would otherwise see.
 */
export async function settledSeq(db: Queryable, vendorId: string): Promise<string> {
  const { settled, last } = await settleLog(db);
  let seq = settled;
  for (const ms of WAITS) {
    if (BigInt(seq) >= BigInt(last) || !(await hasLater(db, vendorId, seq))) break;
    await pause(ms);
    seq = (await settleLog(db)).settled;
  }
  return seq;
}
