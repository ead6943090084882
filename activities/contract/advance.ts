import { ApplicationFailure } from '@temporalio/common';
import type { Queryable } from '../../db/connect.ts';
import { restAfter } from '../../db/rest-after.ts';
import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { waitForDue } from '../../db/wait-for-due.ts';
import { advanceChain } from '../../services/contract/advance-chain.ts';
import { type ScheduleAnswer, scheduleOf } from '../../temporal/schedule.ts';
import type { ChainActivityInput, Schedule } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Where the chain stands. */
export const readSchedule =
  ({ db, bundle }: ActivityDependencies) =>
  (input: ChainActivityInput): Promise<Schedule> =>
    answerOf(db.preparing, input, { isLeft: false, bundle });

/**
 * Does everything that is due for the chain, or of a late one as much as one transaction does, and answers where it
 * stands then.
 */
export const advanceContracts =
  ({ db, log, bundle }: ActivityDependencies) =>
  async (input: ChainActivityInput): Promise<Schedule> => {
    await waitForDue(db, input.dueAt);
    const advanceOnce = () =>
      db.transaction(
        async (tx) => {
          const advanced = await advanceChain(tx, input.chainId, !input.wasLeft);
          return { ...advanced, schedule: await answerOf(tx, input, { isLeft: advanced.isLeft, bundle }) };
        },
        { prepare: true, by: 'timer', within: input.chainId },
      );
    const { schedule, parked } = await restAfter(advanceOnce, isLate);
    for (const { contractId, error } of parked) log.error({ err: error, contract: contractId }, 'the contract is parked');
    return schedule;
  };

/** Whether more is due on the wall clock: then the workflow asks again at once. */
const isLate = ({ schedule: { due, clockId, isLeft } }: { schedule: Schedule }): boolean =>
  clockId === null && !isLeft && (due[0]?.at ?? Number.POSITIVE_INFINITY) < Date.now();

/** Before the number of any event: a run that knows of no earlier one lists the latest events. */
const BEFORE_ALL = '0';

/** Where the chain stands, read in a given transaction. */
async function answerOf(
  tx: Queryable,
  { chainId, seen, signals }: ChainActivityInput,
  answer: Omit<ScheduleAnswer, 'signals'>,
): Promise<Schedule> {
  const row = await readChainSchedule(tx, chainId, seen ?? BEFORE_ALL);
  if (row === null) throw ApplicationFailure.nonRetryable(`there is no contract ${chainId}`, 'contract_not_found');
  return scheduleOf(row, { ...answer, signals });
}
