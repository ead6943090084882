import { proxyActivities } from '@temporalio/workflow';

/**
 * Calls of a provider or of a mail server. Each try of a charge first asks for the outcome of the one before, so trying
 * for ever never charges twice; operators see the tries. The time limit is longer than the provider's own 30 seconds,
 * so that no answer is lost to it; missing heartbeats show that a worker has died.
 */
const OUTSIDE_CALL = {
  startToCloseTimeout: '90 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
} as const;

type Activities = Record<string, (input: never) => Promise<unknown>>;

/**
 * The activities of a noun that call a payment provider, a mail server or a receiver of events.
 *
 * @param options where they have a task queue of their own
 */
export const outsideActivities = <A>(options: { taskQueue?: string } = {}): A =>
  proxyActivities<Activities>({ ...OUTSIDE_CALL, ...options }) as A;
