import { heartbeat } from '@temporalio/activity';
import type { Instant } from '../../billing/calendar/instant.ts';
import { moveHands, settleClock, stopClock } from '../../db/clock/advance.ts';
import { readClock } from '../../db/clock/now.ts';
import type { ClockStep } from '../../workflows/messages.ts';
import { dealWith, dueItems } from '../agenda/due-items.ts';
import { inFlight } from '../agenda/registry.ts';
import type { Dependencies } from '../dependencies.ts';
import { carryContracts, parkedAt } from './contracts.ts';

/** Instants are carried out for this long in one activity, then the workflow shows where the clock is. */
const BUDGET = 3_000;

type Progress = 'moved' | 'settled' | 'waiting' | 'stopped';

/**
 * Carries a clock on: the hands move to the next due instant, all contracts due there are brought up, then what is due for their customers;
 * only then the hands move again. An instant cut short by a crash is finished first, since its rows still stand.
 */
export const stepClock =
  (dependencies: Dependencies) =>
  async ({ clockId }: { clockId: string }): Promise<ClockStep> => {
    const wishes = new Set<string>();
    const until = Date.now() + BUDGET;
    let progress: Progress = 'moved';
    while (progress === 'moved' && Date.now() < until) {
      progress = await oneInstant(dependencies, clockId, wishes);
      heartbeat(clockId);
    }
    await dependencies.deliver([...wishes]);
    const clock = await readClock(dependencies.db, clockId);
    return {
      now: clock?.now ?? 0,
      done: clock === null || clock.status !== 'advancing',
      waiting: progress === 'waiting',
      reason: clock?.reason ?? null,
    };
  };

async function oneInstant(dependencies: Dependencies, clockId: string, wishes: Set<string>): Promise<Progress> {
  const { db } = dependencies;
  const hands = await db.transaction((tx) => moveHands(tx, clockId));
  if (hands === null) return 'stopped';
  if (hands.isHeld) return 'waiting';
  const { now } = hands.clock;
  if (hands.isDue) {
    await carryContracts(dependencies, clockId, now, wishes);
    const reason = await parkedAt(db, clockId, now);
    if (reason !== null) return stop(dependencies, clockId, reason);
    const items = await dueItems(db, clockId, now);
    const stuck = await dealWith(dependencies, items, now);
    if (stuck !== null) return stop(dependencies, clockId, stuck);
    if (items.length > 0 || (await isUnderWay(dependencies, clockId)))
      return (await isClear(dependencies, clockId, now)) ? 'moved' : 'waiting';
    return 'moved';
  }
  if (await isUnderWay(dependencies, clockId)) return 'waiting';
  return (await db.transaction((tx) => settleClock(tx, clockId))) ? 'settled' : 'moved';
}

async function stop({ db }: Dependencies, clockId: string, reason: string): Promise<Progress> {
  await db.transaction((tx) => stopClock(tx, clockId, reason));
  return 'stopped';
}

async function isClear(dependencies: Dependencies, clockId: string, now: Instant): Promise<boolean> {
  return (await dueItems(dependencies.db, clockId, now)).length === 0 && !(await isUnderWay(dependencies, clockId));
}

async function isUnderWay({ db }: Dependencies, clockId: string): Promise<boolean> {
  for (const isRunning of inFlight) if (await isRunning(db, clockId)) return true;
  return false;
}
