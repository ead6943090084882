import type { Instant } from '../../billing/calendar/instant.ts';
import { advanceContracts } from '../../db/contract/advance.ts';
import { dueContracts } from '../../db/contract/due.ts';
import { mayPass } from '../../db/fault.ts';
import type { Dependencies } from '../dependencies.ts';

/** Contracts in one transaction. */
export const CARRIED = 200;
/** The own workflow waits for its next schedule meanwhile: afterwards the next one to wake goes on. */
const PATIENCE = 3_000;

/**
 * Advances further contracts that are due on the wall clock, in batches, until none is free, time is up, or a batch can't be written. Their own
 * workflows will find them advanced; one that fails here is left to its own, which parks it.
 */
export async function carryOthers({ db, log, deliver }: Dependencies, upTo: Instant, own: string): Promise<void> {
  const until = Date.now() + PATIENCE;
  const left = new Set([own]);
  while (Date.now() < until) {
    try {
      const { asked, advanced } = await db.transaction(async (tx) => {
        const ids = await dueContracts(tx, null, upTo, CARRIED, [...left]);
        return { asked: ids, advanced: await advanceContracts(tx, [{ ids, lock: 'skip' }], upTo) };
      });
      await deliver(advanced.wishes);
      // taken once here; what is later than one turn mends is left to its own workflow
      for (const id of asked) left.add(id);
      if (asked.length < CARRIED) return;
    } catch (error) {
      log.warn({ err: error }, 'a batch of due contracts is left to their own workflows');
      if (mayPass(error)) throw error;
      return;
    }
  }
}
