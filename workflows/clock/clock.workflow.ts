import { condition, continueAsNew, defineSignal, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ClockActivities } from '../../activities/clock/index.ts';
import { dateText } from '../contract/words.messages.ts';
import { CHANGED_SIGNAL, type ClockRef, type ClockStep } from '../messages.ts';

/** A step may advance hundreds of contracts through hundreds of instants, and operators should see each try. */
const { stepClock } = proxyActivities<ClockActivities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const changedSignal = defineSignal(CHANGED_SIGNAL);

/** A payment that ends signals the clock; this is for what failed and is to be tried again. */
const LONGEST_WAIT = '15 seconds';

/**
 * Moves a test clock to its target: from due instant to due instant, in order, each step done before the next begins.
 * One run an advance; it can be started again at any moment and goes on from where the clock stands. Signalled while
 * its run is about to end, it makes one more step; otherwise the next advance would be lost between two runs.
 */
export async function clockAdvance({ clockId }: ClockRef): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  for (;;) {
    hasNews = false;
    const step: ClockStep = await stepClock({ clockId });
    setCurrentDetails(detailsOf(clockId, step));
    if (step.done && !hasNews) break;
    if (step.waiting) await condition(() => hasNews, LONGEST_WAIT);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof clockAdvance>({ clockId });
  }
}

function detailsOf(clockId: string, { now, done, reason }: ClockStep): string {
  if (reason !== null) return `Clock \`${clockId}\` stopped at ${dateText(now)}: ${reason}`;
  return `Clock \`${clockId}\` ${done ? 'stands' : 'is on its way'} at ${dateText(now)}`;
}
