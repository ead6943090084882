import { billBatch } from '../../services/bill-run/bill-batch.ts';
import type { BatchRef, BilledBatch } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** What a bill run calls: one transaction of contracts of one vendor. */
export interface BillRunActivities {
  billBatch(batch: BatchRef): Promise<BilledBatch>;
}

export function billRunActivities({ db, log }: ActivityDependencies): BillRunActivities {
  return {
    billBatch: withHeartbeat(async (batch) => {
      const { vendorId, contracts, parked } = await db.transaction((tx) => billBatch(tx, batch), { prepare: true, by: 'bill_run' });
      for (const { contractId, error } of parked) log.error({ err: error, contract: contractId }, 'the contract is parked');
      return { vendorId, contracts, parked: parked.map(({ contractId }) => contractId) };
    }),
  };
}
