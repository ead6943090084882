import type { Instant } from '../../calendar/instant.ts';
import { flush, run } from '../advance/advance.ts';
import { isLive } from '../period/time.ts';
import { requireActiveCustomer } from '../terms/require.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { chargeCorrections } from './close.ts';

/**
 * What becomes of corrections to closed usage that have been recorded in the life: they wait for the contract's next invoice. An ended
 * contract has none to come, so they make one now.
 *
 * @throws Refusal `customer_frozen`
 * @example ended contract, 11.80 charged for 350 units, corrected to 199: an invoice with −5.90, moved to the wallet
 */
export function planCorrections(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  const awaitsNone = !isLive(work.snapshot.contract) && work.snapshot.periods.length === 0;
  if (awaitsNone) {
    chargeCorrections(work, now);
    flush(work, now);
  }
  return finish(work);
}
