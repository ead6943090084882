import { ActivityFailure, ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment/index.ts';

/** Steps that are one short transaction. */
const quick = proxyLocalActivities<PaymentActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 3, maximumAttempts: 3 },
});

/** The same while Postgres is away. */
const patient = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Calls of a provider. Each try asks first what became of the one before, so trying for ever never charges twice; operators see the tries.
 * Longer than the provider's own 30 seconds, so that an answer is never lost to our own timeout; a worker that died is noticed by its silence.
 */
export const outside = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '90 seconds',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Runs a step quickly, and patiently when that fails. */
export async function step<T>(run: (activities: PaymentActivities) => Promise<T>): Promise<T> {
  try {
    return await run(quick);
  } catch (error) {
    // a local activity that has used up its tries fails with what it threw, bare
    const mayPass = error instanceof ActivityFailure || (error instanceof ApplicationFailure && !error.nonRetryable);
    if (!mayPass) throw error;
    return run(patient);
  }
}
