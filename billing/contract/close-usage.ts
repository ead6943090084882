import type { Instant } from '../calendar/instant.ts';
import { flush, run } from './advance.ts';
import { closePeriod } from './close.ts';
import { openRow } from './periods.ts';
import { refuse } from './refusal.ts';
import { requireActiveCustomer } from './require.ts';
import type { Life, Mint, Outcome } from './types.ts';
import { finish, openWork } from './work.ts';

/**
 * Closes a usage period by hand: one that waits under policy `manual`, or one whose time hasn't come. A period that still runs is charged
 * whole; later events in it are refused, or become corrections.
 *
 * @throws Refusal `customer_frozen`, `usage_period_not_found`, `usage_period_closed`
 * @example policy manual, 3 calls at 1 in January, closed on 4 Feb: an invoice of 3.00 dated 4 Feb
 */
export function planUsageClosing(life: Life, idx: number, now: Instant, mint: Mint): Outcome {
  requireActiveCustomer(life);
  const work = openWork(life, mint);
  run(work, now);
  const period = openRow(work, idx);
  if (period === null) {
    const { currentIdx, trialEnd } = work.life.contract;
    const isPast = idx >= (trialEnd === null ? 1 : 0) && idx <= (currentIdx ?? -1);
    if (isPast) refuse('usage_period_closed', `usage period ${idx} is closed`);
    return refuse('usage_period_not_found', `the contract has no usage period ${idx} yet`);
  }
  closePeriod(work, period, now);
  flush(work, now);
  return finish(work);
}
