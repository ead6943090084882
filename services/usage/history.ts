import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import { UsageEvent, UsageEventHistory } from '../../db/entities/usage.ts';

/** What was done with a usage event. */
export interface UsageAct {
  at: Instant;
  action: 'reported' | 'amended' | 'discarded';
  /** what counted from then on; null: nothing */
  units: string | null;
  notes: string | null;
  keyId: string | null;
}

/** How often an event is corrected has no bound, and each correction may have long notes. */
const MOST_SHOWN = 500;

/**
 * What was done with a usage event, the oldest first: its report, and its last corrections up to its end. The audit log
 * has all of them. Whose key reported it isn't kept.
 *
 * @throws Refusal `usage_event_not_found`
 */
export async function usageHistory(em: EntityManager, vendorId: string, eventId: string): Promise<UsageAct[]> {
  const event = await em.findOne(UsageEvent, { id: eventId, vendorId });
  if (event === null) throw new Refusal('usage_event_not_found', 'there is no such usage event');
  const first = await em.findOne(UsageEventHistory, { eventId }, { orderBy: { id: 'asc' } });
  const changes = await em.find(UsageEventHistory, { eventId }, { orderBy: { id: 'desc' }, limit: MOST_SHOWN });
  const reported: UsageAct = {
    ...{ at: event.arrivedAt, action: 'reported', units: first?.unitsBefore ?? event.units },
    ...{ notes: null, keyId: null },
  };
  const acts = changes.toReversed().map(({ at, kind, unitsAfter = null, notes = null, keyId = null }): UsageAct => {
    return { at, action: kind === 'discarded' ? 'discarded' : 'amended', units: unitsAfter, notes, keyId };
  });
  return [reported, ...acts];
}
