import type { Instant } from '../../billing/calendar/instant.ts';
import { nowOf, readClock } from '../../db/clock/now.ts';
import type { Queryable } from '../../db/connect.ts';
import { type Advanced, advanceContracts } from '../../db/contract/advance.ts';
import { dueContracts, isDue } from '../../db/contract/due.ts';
import { parkContract } from '../../db/contract/park.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import type { Schedule } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { CARRIED, carryOthers } from './carry-others.ts';
import { scheduleOf } from './schedule.ts';

/** Temporal's clock and Postgres's differ a little: a timer that has rung is believed within this. */
const TRUST = 1_000;

interface Input {
  contractId: string;
  dueAt: Instant | null;
}

interface Turn {
  schedule: Schedule;
  upTo: Instant;
  advanced: Advanced | null;
  /** whether more contracts may be due beyond those taken along */
  full: boolean;
}

/**
 * Brings a contract up to now and takes along others that are due: whoever wakes first carries the others. A workflow that wakes and finds
 * its contract advanced only reads its next schedule. What retrying can't mend parks the contract with its reason.
 */
export const advanceContract =
  (dependencies: Dependencies) =>
  async (input: Input): Promise<Schedule> => {
    const { db, deliver } = dependencies;
    let turn: Turn;
    try {
      turn = await db.transaction((tx) => takeTurn(tx, input, dependencies.carries));
    } catch (error) {
      if (mayPass(error)) throw error;
      turn = await alone(dependencies, input);
    }
    await deliver(turn.advanced?.wishes ?? []);
    const failure = turn.advanced?.failed.find(({ contractId }) => contractId === input.contractId);
    if (failure !== undefined) return park(dependencies, input.contractId, failure.error);
    if (turn.full) await carryOthers(dependencies, turn.upTo, input.contractId);
    return turn.schedule;
  };

/** The own contract without company: the write of a batch failed, and it shall not suffer for another's fault. */
async function alone({ db, log }: Dependencies, input: Input): Promise<Turn> {
  try {
    return await db.transaction((tx) => takeTurn(tx, input, false));
  } catch (error) {
    if (mayPass(error)) throw error;
    log.error({ err: error, contract: input.contractId }, 'a contract can not be advanced');
    const failed = [{ contractId: input.contractId, error }];
    return { schedule: await scheduleOf(db, input.contractId), upTo: 0, advanced: { done: [], failed, wishes: [] }, full: false };
  }
}

async function takeTurn(tx: Queryable, { contractId, dueAt }: Input, inCompany: boolean): Promise<Turn> {
  const { clockId } = await scheduleOf(tx, contractId);
  const clock = clockId === null ? null : await readClock(tx, clockId);
  const upTo = trusted(await nowOf(tx, clockId), clockId === null ? dueAt : null);
  // A clock that moves carries its contracts itself, in order.
  const mayAdvance = clock?.status !== 'advancing' && (await isDue(tx, contractId, upTo));
  if (!mayAdvance) return { schedule: await scheduleOf(tx, contractId), upTo, advanced: null, full: false };
  const others = inCompany && clockId === null ? await dueContracts(tx, null, upTo, CARRIED, [contractId]) : [];
  const own = { ids: [contractId], lock: 'wait' as const };
  const advanced = await advanceContracts(tx, [own, { ids: others, lock: 'skip' }], upTo);
  return { schedule: await scheduleOf(tx, contractId), upTo, advanced, full: others.length === CARRIED };
}

function trusted(now: Instant, dueAt: Instant | null): Instant {
  return dueAt !== null && dueAt > now && dueAt <= now + TRUST ? dueAt : now;
}

async function park({ db, log }: Dependencies, contractId: string, error: unknown): Promise<Schedule> {
  log.error({ err: error, contract: contractId }, 'the contract is parked');
  return db.transaction(async (tx) => {
    const { clockId } = await scheduleOf(tx, contractId);
    await parkContract(tx, contractId, reasonOf(error), await nowOf(tx, clockId));
    return scheduleOf(tx, contractId);
  });
}
