import { CancellationScope, defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment/index.ts';
import { outsideActivities } from '../activities.ts';
import { databaseSteps } from '../contract/activities.ts';
import { CHANGED_SIGNAL } from '../messages.ts';
import type { AttemptOutcome, AttemptRef, RecordedOutcome } from './messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const step = databaseSteps<PaymentActivities>();
const { chargeAttempt } = outsideActivities<PaymentActivities>();

/**
 * Carries out one attempt to pay an invoice: asks the provider, writes the outcome. A retry is another attempt; one
 * whose provider needs time ends as `processing` and runs again when its agenda row is due. Signalled while its
 * provider is asked, it has it asked once more before it ends so: what the charge waits for may have ended meanwhile.
 * Its result is the attempt's outcome.
 */
export async function payAttempt({ attemptId }: AttemptRef): Promise<AttemptOutcome> {
  let signals = 0;
  setHandler(changedSignal, () => {
    signals += 1;
  });
  const charge = async (): Promise<RecordedOutcome> => {
    const known = signals;
    const charged = await chargeAttempt({ attemptId });
    return step((activities) => activities.recordAttempt({ attemptId, charged, signals: known }));
  };
  const hasNews = (answer: RecordedOutcome): boolean => signals > (answer.signals ?? signals);
  setCurrentDetails(`Attempt \`${attemptId}\`: the provider is asked`);
  // money that was taken has to be recorded
  const { status } = await CancellationScope.nonCancellable(async () => {
    let outcome = await charge();
    while (outcome.status === 'processing' && hasNews(outcome)) outcome = await charge();
    return outcome;
  });
  setCurrentDetails(`Attempt \`${attemptId}\`: ${status}`);
  return { status };
}
