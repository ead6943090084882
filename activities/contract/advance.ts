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
import type { Carrier } from './carrier.ts';
import { readOf, scheduleOf } from './schedule.ts';

/** Temporal's clock and Postgres's differ a little: a timer that rings so much early by Postgres's is waited out. */
const SKEW = 1_000;
/** Well within the time the activity has. */
const PATIENCE = 3_000;

interface Input {
  contractId: string;
  dueAt: Instant | null;
}

interface Turn {
  schedule: Schedule;
  /** null: there was nothing to do */
  advanced: Advanced | null;
}

/**
 * Brings a contract up to now. Whoever wakes first carries the others: one that finds itself due has the process's carrier bring up all that are,
 * and does its own turn only if it was left out; one that wakes and has been carried only reads its next schedule. What retrying can't mend parks
 * the contract with its reason.
 */
export const advanceContract =
  (dependencies: Dependencies) =>
  async (input: Input): Promise<Schedule> => {
    const { db, deliver, carrier } = dependencies;
    let seen = await look(db, input);
    if (seen.isDue && carrier !== null) {
      await carriedAlong(carrier);
      seen = await look(db, input);
    }
    if (seen.isDue === false) return seen.schedule;
    let turn: Turn;
    try {
      turn = await db.preparingTransaction((tx) => takeTurn(tx, input.contractId));
    } catch (error) {
      if (mayPass(error)) throw error;
      return park(dependencies, input.contractId, error);
    }
    if (turn.advanced === null) return turn.schedule;
    await deliver(turn.advanced.wishes);
    const failure = turn.advanced.failed.find(({ contractId }) => contractId === input.contractId);
    return failure === undefined ? turn.schedule : park(dependencies, input.contractId, failure.error);
  };

/** One statement is all that a contract costs that was carried. What is due on a test clock only its turn can tell: `null`. */
async function look(db: Queryable, { contractId, dueAt }: Input): Promise<{ schedule: Schedule; isDue: boolean | null }> {
  for (;;) {
    const { schedule, now } = await readOf(db, contractId);
    if (schedule.clockId !== null) return { schedule, isDue: null };
    const at = schedule.parked === null ? schedule.due[0]?.at : undefined;
    const early = at !== undefined && at === dueAt ? earliness(at, now) : 0;
    if (early === 0) return { schedule, isDue: at !== undefined && at <= now };
    // nothing may happen before its instant: until then usage still counts in the period that ends there
    await pause(early);
  }
}

/** One transaction for a hundred contracts is much cheaper than one for each, so the own turn waits a little for the carrier's. */
async function carriedAlong(carrier: Carrier): Promise<void> {
  const patience = new AbortController();
  await Promise.race([carrier.begin(), pause(PATIENCE, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
}

async function takeTurn(tx: Queryable, contractId: string): Promise<Turn> {
  const before = await scheduleOf(tx, contractId);
  const { clockId } = before;
  const clock = clockId === null ? null : await readClock(tx, clockId);
  const upTo = await nowOf(tx, clockId);
  // A clock that moves carries its contracts itself, in order.
  const mayAdvance = clock?.status !== 'advancing' && (await isDue(tx, contractId, upTo));
  if (!mayAdvance) {
    const [first] = before.due;
    const carriedMeanwhile = first !== undefined && first.at <= upTo;
    return { schedule: carriedMeanwhile ? await scheduleOf(tx, contractId) : before, advanced: null };
  }
  const advanced = await advanceContracts(tx, [{ ids: [contractId], lock: 'wait' }], upTo);
  return { schedule: await scheduleOf(tx, contractId), advanced };
}

function earliness(dueAt: Instant, now: Instant): number {
  return dueAt > now && dueAt <= now + SKEW ? dueAt - now : 0;
}

async function park({ db, log }: Dependencies, contractId: string, error: unknown): Promise<Schedule> {
  log.error({ err: error, contract: contractId }, 'the contract is parked');
  return db.transaction(async (tx) => {
    const { clockId } = await scheduleOf(tx, contractId);
    await parkContract(tx, contractId, reasonOf(error), await nowOf(tx, clockId));
    return scheduleOf(tx, contractId);
  });
}
