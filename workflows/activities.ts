import { proxyActivities } from '@temporalio/workflow';

/**
 * Calls of a provider. Each try asks first what came of the one before, so trying for ever never charges twice; operators see the tries. Longer than
 * the provider's own 30 seconds, so that an answer is never lost to our own time limit; a worker that died is noticed by its silence.
 */
const OUTSIDE = {
  startToCloseTimeout: '90 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
} as const;

type Activities = Record<string, (input: never) => Promise<unknown>>;

/** The activities of a noun that talk to the outside. */
export const outside = <A>(): A => proxyActivities<Activities>(OUTSIDE) as A;
