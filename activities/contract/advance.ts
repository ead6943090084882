import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '../../billing/calendar/instant.ts';
import { nowOf, readClock } from '../../db/clock/now.ts';
import type { Queryable } from '../../db/connect.ts';
import { type Advanced, advanceContracts } from '../../db/contract/advance.ts';
import { isDue } from '../../db/contract/due.ts';
import { parkContract } from '../../db/contract/park.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import type { Schedule } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { scheduleOf } from './schedule.ts';

/** Temporal's clock and Postgres's differ a little: a timer that rings so much early by Postgres's is waited out. */
const SKEW = 1_000;

interface Input {
  contractId: string;
  dueAt: Instant | null;
}

interface Turn {
  schedule: Schedule;
  /** null: there was nothing to do */
  advanced: Advanced | null;
  /** what the workflow woke for is due in so many milliseconds, a moment; else 0 */
  early: number;
}

/**
 * Brings a contract up to now. Whoever wakes first carries the others: one that finds itself due has the process's carrier look for others that
 * are; one that wakes and has been carried only reads its next schedule. What retrying can't mend parks the contract with its reason.
 */
export const advanceContract =
  (dependencies: Dependencies) =>
  async (input: Input): Promise<Schedule> => {
    const { db, deliver, carrier } = dependencies;
    let turn: Turn;
    try {
      turn = await db.transaction((tx) => takeTurn(tx, input));
      // nothing may happen before its instant: until then usage still counts in the period that ends there
      while (turn.early > 0) {
        await pause(turn.early);
        turn = await db.transaction((tx) => takeTurn(tx, input));
      }
    } catch (error) {
      if (mayPass(error)) throw error;
      return park(dependencies, input.contractId, error);
    }
    if (turn.advanced === null) return turn.schedule;
    if (turn.schedule.clockId === null) carrier?.begin();
    await deliver(turn.advanced.wishes);
    const failure = turn.advanced.failed.find(({ contractId }) => contractId === input.contractId);
    return failure === undefined ? turn.schedule : park(dependencies, input.contractId, failure.error);
  };

async function takeTurn(tx: Queryable, { contractId, dueAt }: Input): Promise<Turn> {
  const before = await scheduleOf(tx, contractId);
  const { clockId } = before;
  const clock = clockId === null ? null : await readClock(tx, clockId);
  const upTo = await nowOf(tx, clockId);
  // A clock that moves carries its contracts itself, in order.
  const mayAdvance = clock?.status !== 'advancing' && (await isDue(tx, contractId, upTo));
  if (!mayAdvance) {
    const [first] = before.due;
    const carriedMeanwhile = first !== undefined && first.at <= upTo;
    const early = clockId === null && before.parked === null && first?.at === dueAt ? earliness(dueAt, upTo) : 0;
    return { schedule: carriedMeanwhile ? await scheduleOf(tx, contractId) : before, advanced: null, early };
  }
  const advanced = await advanceContracts(tx, [{ ids: [contractId], lock: 'wait' }], upTo);
  return { schedule: await scheduleOf(tx, contractId), advanced, early: 0 };
}

function earliness(dueAt: Instant | null, now: Instant): number {
  return dueAt !== null && dueAt > now && dueAt <= now + SKEW ? dueAt - now : 0;
}

async function park({ db, log }: Dependencies, contractId: string, error: unknown): Promise<Schedule> {
  log.error({ err: error, contract: contractId }, 'the contract is parked');
  return db.transaction(async (tx) => {
    const { clockId } = await scheduleOf(tx, contractId);
    await parkContract(tx, contractId, reasonOf(error), await nowOf(tx, clockId));
    return scheduleOf(tx, contractId);
  });
}
