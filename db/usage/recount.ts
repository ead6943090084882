import type { Queryable } from '../connect.ts';
import { lockCounter } from '../sql/usage/lock-counter.ts';
import { periodsAfter } from '../sql/usage/periods-after.ts';
import { type CounterKey, recountPart } from '../sql/usage/recount.ts';

/**
 * Sets the counter of one feature of one period to the sum of its events, and those of the periods that go on from it.
 * Each counter's row is locked before it is summed, so that another count waits and adds to our result.
 */
export async function recountUsage(tx: Queryable, key: CounterKey): Promise<void> {
  await lockAndRecount(tx, key);
  for (const part of await periodsAfter(tx, key)) await lockAndRecount(tx, { ...part, slug: key.slug });
}

async function lockAndRecount(tx: Queryable, key: CounterKey): Promise<void> {
  await lockCounter(tx, key);
  await recountPart(tx, key);
}
