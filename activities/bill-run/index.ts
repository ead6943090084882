import { billLane } from '../../services/bill-run/bill-lane.ts';
import type { BilledLane, LaneRef } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Milliseconds for which one activity goes on to further batches; then the workflow shows how far it has come. */
const BUDGET = 2_000;

/** What a bill run calls: batches of contracts, each a transaction of one vendor. */
export interface BillRunActivities {
  billLane(lane: LaneRef): Promise<BilledLane>;
}

export function billRunActivities({ db, log }: ActivityDependencies): BillRunActivities {
  return {
    billLane: withHeartbeat(async (lane) => {
      const { parked, ...progress } = await billLane(db, lane, BUDGET);
      for (const { contractId, error } of parked) log.error({ err: error, contract: contractId }, 'the contract is parked');
      return { ...progress, parked: parked.map(({ contractId }) => contractId) };
    }),
  };
}
