import type { Instant } from '../../calendar/instant.ts';
import { refuse } from '../../refusal.ts';
import { flush, run } from '../advance/advance.ts';
import { openRow, runningIdx } from '../period/periods.ts';
import { requireActiveCustomer } from '../terms/require.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { closePeriod } from './close.ts';

/**
 * Closes a usage period as a caller asks: one that waits under policy `manual`, or one before its time. A period that
 * still runs is charged whole; later events in it are refused, or become corrections.
 *
 * @throws Refusal `customer_frozen`, `usage_period_not_found`, `usage_period_closed`
 * @example
 * const configuration = { usagePeriodClosingPolicy: 'manual' };
 * const story = signs('2025-01-01', plan('pro', { features: { calls: usage('1') } }), { configuration });
 * story.uses('2025-01-10', 'calls', '3');
 * story.does('2025-02-04', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
 * invoicesOf(story) // ['2025-02-04 3.00: usage feature:calls 3.00']
 */
export function planUsageClosing(snapshot: ContractSnapshot, idx: number, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  const { contract } = work.snapshot;
  const period = openRow(work, idx);
  // a period that usage has made ahead of time has to begin first: closed before, it would be opened and charged again
  if (period === null || idx > (runningIdx(contract) ?? idx)) {
    const isPast = idx >= (contract.trialEnd === null ? 1 : 0) && idx <= (contract.currentIdx ?? -1);
    if (isPast) refuse('usage_period_closed', `usage period ${idx} is closed`);
    return refuse('usage_period_not_found', `the contract has no usage period ${idx} yet`);
  }
  closePeriod(work, period, now);
  flush(work, now);
  return finish(work);
}
