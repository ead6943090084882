import { moveSome } from '../../services/plan-move/move-some.ts';
import type { PlanMoveInput, PlanMoveStep } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** What a move's workflow calls. */
export interface PlanMoveActivities {
  /** Lists contracts of the move, or changes some of them. */
  moveContracts(input: PlanMoveInput): Promise<PlanMoveStep>;
}

export function planMoveActivities({ db, log }: ActivityDependencies): PlanMoveActivities {
  return {
    moveContracts: withHeartbeat(async ({ moveId, after }) => {
      const { failed, ...step } = await moveSome(db, moveId, after);
      for (const { contractId, error } of failed)
        log.error({ err: error, contract: contractId, move: moveId }, 'the contract is not moved');
      return step;
    }),
  };
}
