import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../connect.ts';
import { limitLocks } from '../sql/transaction/limit-locks.ts';
import { lockMonths, makeMonth } from '../sql/usage/make-month.ts';
import { monthsToMake } from '../sql/usage/months-to-make.ts';
import { monthsFrom } from './months-from.ts';

/** If no worker looks for so long, events lie in the partition for all others. */
const MONTHS_AHEAD = 3;
/** Attaching a partition waits for readers of the one for all others, and what comes then waits behind it. */
const LONGEST_LOCK_MS = 1_000;

/**
 * Makes the partitions of this month and the next ones. Events are in the month in which their ids were made, by the
 * wall clock: their timestamps may lie in any year, on a test clock.
 *
 * @returns the names of those made
 */
export const makeUsageMonths = (db: Database, now: Instant): Promise<string[]> =>
  db.transaction(async (tx) => {
    await limitLocks(tx, LONGEST_LOCK_MS);
    await lockMonths(tx);
    const missing = await monthsToMake(tx, monthsFrom(now, MONTHS_AHEAD));
    for (const month of missing) await makeMonth(tx, month);
    return missing.map(({ name }) => name);
  });
