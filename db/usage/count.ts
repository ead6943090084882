import type { Queryable } from '../connect.ts';
import { addToCounter, type CountedChange, listedBy } from '../sql/usage/add-to-counter.ts';
import { carryCounter, carryLater } from '../sql/usage/carry-counter.ts';
import { lockCounter } from '../sql/usage/lock-counter.ts';
import type { CounterKey } from '../sql/usage/part.ts';
import { recountEvents } from '../sql/usage/recount-events.ts';

/** An event that came, went or has other units now. */
export type UsageChange = CountedChange & { isAbsolute: boolean };

/**
 * Brings the counter of a feature, and those of the periods that go on from it, up to date with events that were
 * written before in this transaction. Events are added to the sum; only a marker, which decides which of the others
 * count, has them summed again.
 */
export async function countUsage(tx: Queryable, key: CounterKey, changes: readonly UsageChange[]): Promise<void> {
  if (changes.some(({ isAbsolute }) => isAbsolute)) return recountUsage(tx, key, listedBy(changes));
  await addToCounter(tx, key, changes);
  await carryOn(tx, key);
}

/**
 * Sets the counter of one feature of one period to the sum of its events, and carries it on. The row is locked before
 * it is summed, so that another count waits and adds to our result.
 *
 * @param listed how many more events the lists have
 */
export async function recountUsage(tx: Queryable, key: CounterKey, listed = 0): Promise<void> {
  await lockCounter(tx, key, listed);
  await recountEvents(tx, key);
  await carryOn(tx, key);
}

async function carryOn(tx: Queryable, key: CounterKey): Promise<void> {
  await carryCounter(tx, key);
  await carryLater(tx, key);
}
