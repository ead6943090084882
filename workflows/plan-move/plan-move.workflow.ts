import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { PlanMoveActivities } from '../../activities/plan-move/index.ts';
import { howMany } from '../../billing/how-many.ts';
import { CUT_OFF } from '../contract/words.messages.ts';
import { inSteps, STEP_OPTIONS } from '../in-steps.ts';
import type { PlanMoveInput, PlanMoveStep } from '../messages.ts';

const { moveContracts } = proxyActivities<PlanMoveActivities>(STEP_OPTIONS);

/**
 * Moves the contracts of a plan: some in each activity, each in a transaction of its own, until none is left or the
 * move is stopped.
 */
export function planMove({ moveId, after = null }: Pick<PlanMoveInput, 'moveId'> & Partial<PlanMoveInput>): Promise<void> {
  return inSteps(after, {
    step: (place) => moveContracts({ moveId, after: place }),
    details: detailsText,
    goOnAsNew: (place) => continueAsNew<typeof planMove>({ moveId, after: place }),
  });
}

const STANDING = { running: 'It goes on.', stopped: 'It is stopped.', done: 'It is done.' } as const;

function detailsText({ planId, toPlanId, status, total, moved, refused, isWaiting }: PlanMoveStep): string {
  const where = toPlanId === planId ? 'its newest version' : `\`${toPlanId}\``;
  const waiting = isWaiting && status === 'running' ? ' It waits for contracts that are being changed.' : '';
  return `Moved ${moved} of ${howMany(total, 'contract')} of \`${planId}\` to ${where}; ${refused} refused. ${STANDING[status]}${waiting}${CUT_OFF}`;
}
