import { CancellationScope, condition, defineSignal, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { CHANGED_SIGNAL } from './messages.ts';

/** An activity does many things of the work, and operators should see each try. */
export const STEP_OPTIONS = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} as const;

const changedSignal = defineSignal(CHANGED_SIGNAL);

/** Before what is locked by another change, or whose test clock advances, is tried again. */
const PAUSE = '5 seconds';

/** How far a step has come. */
interface StepDone {
  status: string;
  /** the place up to which it has come; null: a new round begins */
  after: string | null;
  /** something can't be done just now: the next round begins a little later */
  isWaiting: boolean;
}

interface Work<S extends StepDone> {
  step(after: string | null): Promise<S>;
  /** what the Temporal UI shows of the work behind a step */
  details(step: S): string;
  goOnAsNew(after: string | null): Promise<never>;
}

/**
 * Carries work out step by step, until none is left or it is stopped. It can begin again at any moment, because each
 * step finds what has no outcome yet. Signalled while its run is about to end, it looks once more; otherwise work that
 * is resumed just then would stand.
 */
export async function inSteps<S extends StepDone>(begin: string | null, { step, details, goOnAsNew }: Work<S>): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  await CancellationScope.nonCancellable(async () => {
    for (let after = begin; ; ) {
      hasNews = false;
      const done = await step(after);
      setCurrentDetails(details(done));
      after = done.after;
      if (done.status !== 'running' && !hasNews) break;
      if (done.isWaiting) await condition(() => hasNews, PAUSE);
      if (workflowInfo().continueAsNewSuggested) await goOnAsNew(after);
    }
  });
}
