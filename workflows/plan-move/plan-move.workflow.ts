import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PlanMoveActivities } from '../../activities/plan-move/index.ts';
import { CHANGED_SIGNAL, type PlanMoveInput, type PlanMoveStep } from '../messages.ts';

/** An activity changes up to fifty contracts, and operators should see each try. */
const { moveContracts } = proxyActivities<PlanMoveActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const changedSignal = defineSignal(CHANGED_SIGNAL);

/** Before contracts that another change has locked, or whose test clock advances, are tried again. */
const PAUSE = '5 seconds';

/**
 * Moves the contracts of a plan: some in each activity, each in a transaction of its own, until none is left or the
 * move is stopped. It can be started again at any moment and goes on with the contracts that have no outcome yet.
 * Signalled while its run is about to end, it looks once more; otherwise a move that is resumed just then would stand.
 */
export async function planMove({ moveId, after = null }: Pick<PlanMoveInput, 'moveId'> & Partial<PlanMoveInput>): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  await CancellationScope.nonCancellable(async () => {
    for (let place = after; ; ) {
      hasNews = false;
      const step: PlanMoveStep = await moveContracts({ moveId, after: place });
      setCurrentDetails(detailsText(step));
      place = step.after;
      if (step.status !== 'running' && !hasNews) break;
      if (step.isWaiting) await condition(() => hasNews, PAUSE);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof planMove>({ moveId, after: place });
    }
  });
}

const STANDING = { running: 'It goes on.', stopped: 'It is stopped.', done: 'It is done.' } as const;

/** The empty paragraph is there to be cut off. */
function detailsText({ planId, toPlanId, status, total, moved, refused, isWaiting }: PlanMoveStep): string {
  const where = toPlanId === planId ? 'its newest version' : `\`${toPlanId}\``;
  const waiting = isWaiting && status === 'running' ? ' It waits for contracts that are being changed.' : '';
  return `Moved ${moved} of ${total} contracts of \`${planId}\` to ${where}; ${refused} refused. ${STANDING[status]}${waiting}\n\n\u00a0`;
}
