import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  patched,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ContractActivities } from '../../activities/contract/index.ts';
import type { Turns } from './turns.ts';

/** A wake-up's database step takes milliseconds: three tries within the workflow task, without a place in the task queue. */
const quick = proxyLocalActivities<ContractActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 3, maximumAttempts: 3 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** The same step while Postgres is away: it waits in Temporal, visible, with growing pauses, and costs no workflow tasks. */
const patient = proxyActivities<ContractActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Runs a step quickly when its turn has come, and patiently when that fails for reasons time may mend. One that waits in Temporal keeps nobody
 * waiting behind it: the history says itself when such a step ended.
 */
export async function step<T>(turns: Turns, run: (activities: ContractActivities) => Promise<T>): Promise<T> {
  try {
    return await turns.take(() => run(quick));
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal !== null) throw refusal;
    if (!isLeftToPatience(error)) throw error;
  }
  try {
    return await run(patient);
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

/**
 * A local activity that has used up its tries fails with what it threw, bare; one that ran out of time fails wrapped, as every other activity.
 * Runs from before this was known ended there, or told their caller.
 */
function isLeftToPatience(error: unknown): boolean {
  if (error instanceof ActivityFailure) return true;
  return error instanceof ApplicationFailure && patched('2026-11-bare-local-failure');
}

/** The final "no" of an activity, as it is told to the caller of an Update. */
function refusalIn(error: unknown): ApplicationFailure | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable ? cause : null;
}
