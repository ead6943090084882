import type { Instant } from '../../calendar/instant.ts';
import { flush, run } from '../advance/advance.ts';
import { isLive } from '../period/time.ts';
import { requireActiveCustomer } from '../terms/require.ts';
import type { Life, Mint, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { settleCorrections } from './close.ts';

/**
 * What becomes of corrections to closed usage that have been recorded in the life: they wait for the contract's next invoice. An ended
 * contract has none to come, so they make one now.
 *
 * @throws Refusal `customer_frozen`
 * @example ended contract, 11.80 charged for 350 units, corrected to 199: an invoice with −5.90, moved to the wallet
 */
export function planCorrections(life: Life, now: Instant, mint: Mint): Outcome {
  requireActiveCustomer(life);
  const work = openWork(life, mint);
  run(work, now);
  const awaitsNone = !isLive(work.life.contract) && work.life.periods.length === 0;
  if (awaitsNone) {
    settleCorrections(work, now);
    flush(work, now);
  }
  return finish(work);
}
