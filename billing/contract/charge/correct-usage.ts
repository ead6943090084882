import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import { flush, run } from '../advance/advance.ts';
import { recurringSources, triggeredSources, usageSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, isLive } from '../period/time.ts';
import { requireActiveCustomer } from '../terms/require.ts';
import type { Contract, ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { chargeCorrections } from './close.ts';

/**
 * Decides on the corrections to closed usage that the snapshot has: they wait for the contract's next invoice. That of
 * an ended contract may never come, nor that of one that charges nothing by itself: there they make one now.
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
  if (!isLive(work.snapshot.contract) || !hasNextInvoice(work.snapshot.contract)) {
    chargeCorrections(work, now);
    flush(work, now);
  }
  return finish(work);
}

/**
 * Whether a live contract charges something again and again, so that it has a next invoice: `once` and `constant`
 * don't, unless by the month, quarter or year, nor does a plan without prices.
 */
export function hasNextInvoice({ terms }: Pick<Contract, 'terms'>): boolean {
  if (CUSTOM_TRIGGERS.some((trigger) => triggeredSources(terms, trigger).length > 0)) return true;
  return isPeriodic(terms.cycle) && (recurringSources(terms).length > 0 || usageSources(terms).length > 0);
}
