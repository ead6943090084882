import { CancellationScope, defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment/index.ts';
import { outsideActivities } from '../activities.ts';
import { databaseSteps } from '../contract/activities.ts';
import { CHANGED_SIGNAL } from '../messages.ts';
import type { AttemptOutcome, AttemptRef } from './messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const step = databaseSteps<PaymentActivities>();
const { chargeAttempt } = outsideActivities<PaymentActivities>();

/**
 * Carries out one attempt to pay an invoice: asks the provider, writes the outcome. A retry is another attempt; one
 * whose provider needs time ends as `processing` and runs again when its agenda row is due. Its result is the attempt's
 * outcome.
 */
export async function payAttempt({ attemptId }: AttemptRef): Promise<AttemptOutcome> {
  // it reads its facts at the start, so a second signal needs nothing more
  setHandler(changedSignal, () => undefined);
  setCurrentDetails(`Attempt \`${attemptId}\`: the provider is asked`);
  // money that was taken has to be recorded
  const outcome = await CancellationScope.nonCancellable(async () => {
    const charged = await chargeAttempt({ attemptId });
    return step((activities) => activities.recordAttempt({ attemptId, charged }));
  });
  setCurrentDetails(`Attempt \`${attemptId}\`: ${outcome.status}`);
  return outcome;
}
