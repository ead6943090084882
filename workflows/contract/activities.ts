import { ActivityFailure, ApplicationFailure, proxyActivities, proxyLocalActivities, TimeoutFailure } from '@temporalio/workflow';

/**
 * A wake-up's database step takes milliseconds: three tries within the workflow task, without a place in the task
 * queue.
 */
const QUICK = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 3, maximumAttempts: 3 },
} as const;

/**
 * The same step while Postgres doesn't answer: it waits in Temporal with growing pauses, where operators see it, and
 * needs no workflow tasks.
 */
const PATIENT = {
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const;

type Activities = Record<string, (input: never) => Promise<unknown>>;

/** Runs a database step quickly, and patiently where that fails for reasons that pass. */
export function databaseSteps<A>(): <T>(run: (activities: A) => Promise<T>) => Promise<T> {
  const quick = proxyLocalActivities<Activities>(QUICK) as A;
  const patient = proxyActivities<Activities>(PATIENT) as A;
  return async (run) => {
    try {
      return await run(quick);
    } catch (error) {
      // a local activity that has used up its tries fails with what it threw; one that ran out of time fails as a
      // normal activity does, and in a replay with the timeout itself
      const cause = error instanceof ActivityFailure ? error.cause : error;
      if (cause instanceof ApplicationFailure && cause.nonRetryable) throw error;
      if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure || error instanceof TimeoutFailure)) throw error;
      return run(patient);
    }
  };
}
