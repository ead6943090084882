import { dealWith, dueItems } from '../activities/agenda/due-items.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { nowOf } from '../db/clock/now.ts';
import { overdueContracts } from '../db/contract/overdue.ts';
import { recordWishes } from '../db/wish/record.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY = 1_000;
const OVERDUE_EVERY = 30_000;

/** Deals with due rows of the wall clock that are no contract's own: payments to collect, sessions to expire. */
export function startAgendaWatch(dependencies: Dependencies): Loop {
  return startLoop({
    name: 'agenda',
    everyMs: EVERY,
    log: dependencies.log,
    turn: async () => {
      const now = await nowOf(dependencies.db, null);
      await dealWith(dependencies, await dueItems(dependencies.db, null, now), now);
      return false;
    },
  });
}

/** Wakes the workflows of contracts that should have been advanced minutes ago; where there is none, it is started. */
export function startOverdueWatch(dependencies: Dependencies): Loop {
  const { db, deliver } = dependencies;
  let after: string | null = null;
  return startLoop({
    name: 'overdue',
    everyMs: OVERDUE_EVERY,
    log: dependencies.log,
    turn: async () => {
      const { wishes, last } = await db.transaction(async (tx) => {
        const late = await overdueContracts(tx, await nowOf(tx, null), after);
        const wakes = late.ids.map((workflowId) => ({ kind: 'wake_contract' as const, workflowId, payload: {} }));
        return { wishes: await recordWishes(tx, wakes), last: late.last };
      });
      after = last;
      await deliver(wishes);
      return false;
    },
  });
}
