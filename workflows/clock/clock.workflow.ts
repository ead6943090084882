import { continueAsNew, defineSignal, proxyActivities, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import type { ClockActivities } from '../../activities/clock/index.ts';
import { dateText } from '../contract/words.ts';
import { type ClockRef, type ClockStep, WAKE_SIGNAL } from '../messages.ts';

/** A step may carry hundreds of contracts through hundreds of instants, and operators should see each try. */
const { stepClock } = proxyActivities<ClockActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const wakeSignal = defineSignal(WAKE_SIGNAL);

const PAUSE = '50 milliseconds';
const LONGER_PAUSE = '500 milliseconds';
const IMPATIENT = 20;

/**
 * Moves a test clock to its target: from due instant to due instant, in order, each step done before the next begins. One run an advance;
 * it can be started again at any moment and goes on from where the clock stands. Sent on again while its last run is about to end, that run
 * hears the signal and goes on; otherwise the next advance would be lost between the two.
 */
export async function clockAdvance({ clockId }: ClockRef): Promise<void> {
  let sentOn = false;
  setHandler(wakeSignal, () => {
    sentOn = true;
  });
  for (let waited = 0; ; ) {
    sentOn = false;
    const step: ClockStep = await stepClock({ clockId });
    setCurrentDetails(detailsOf(clockId, step));
    if (step.done && !sentOn) break;
    waited = step.waiting ? waited + 1 : 0;
    if (step.waiting) await sleep(waited > IMPATIENT ? LONGER_PAUSE : PAUSE, { summary: 'waits for payments of this instant' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof clockAdvance>({ clockId });
  }
}

function detailsOf(clockId: string, { now, done, reason }: ClockStep): string {
  if (reason !== null) return `Clock \`${clockId}\` stopped at ${dateText(now)}: ${reason}`;
  return `Clock \`${clockId}\` ${done ? 'stands' : 'is on its way'} at ${dateText(now)}`;
}
