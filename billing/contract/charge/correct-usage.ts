import type { Instant } from '../../calendar/instant.ts';
import { flush, run } from '../advance/advance.ts';
import { isLive } from '../period/time.ts';
import { requireActiveCustomer } from '../terms/require.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { chargeCorrections } from './close.ts';

/**
 * Decides on the corrections to closed usage that the snapshot has: they wait for the contract's next invoice. That of
 * an ended contract may never come, so they make one now.
 *
 * @throws Refusal `customer_frozen`
 * @example
 * const story = signs('2025-06-01', plan('pro'), { expiration: '2025-07-01' });
 * const closed = { lineId: 'Item_1', name: 'Calls', price: usage('0.0295', { batch: 100 }), ratio: FULL, free: false,
 *   span: { start: at('2025-06-01'), end: at('2025-07-01') }, began: null };
 * const corrections = [{ contractId: story.id(), periodIdx: 1, slug: 'calls', units: '199', charged: '11.80', closed,
 *   occasion: 'Corr_1' }];
 * story.does('2025-07-04', (snapshot, now, newId) => planCorrections({ ...snapshot, corrections }, now, newId));
 * invoicesOf(story) // ['2025-07-04 0.00: correction feature:calls -5.90, wallet 5.90']
 */
export function planCorrections(snapshot: ContractSnapshot, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  if (!isLive(work.snapshot.contract)) {
    chargeCorrections(work, now);
    flush(work, now);
  }
  return finish(work);
}
