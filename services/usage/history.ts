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

/**
 * All that was done with a usage event, the oldest first: its report, its corrections, its end. Whose key reported it
 * isn't kept.
 *
 * @throws Refusal `usage_event_not_found`
 */
export async function usageHistory(em: EntityManager, vendorId: string, eventId: string): Promise<UsageAct[]> {
  const event = await em.findOne(UsageEvent, { id: eventId, vendorId });
  if (event === null) throw new Refusal('usage_event_not_found', 'there is no such usage event');
  const changes = await em.find(UsageEventHistory, { eventId }, { orderBy: { id: 'asc' } });
  const reported: UsageAct = {
    ...{ at: event.arrivedAt, action: 'reported', units: changes[0]?.unitsBefore ?? event.units },
    ...{ notes: null, keyId: null },
  };
  const acts = changes.map(({ at, kind, unitsAfter = null, notes = null, keyId = null }): UsageAct => {
    return { at, action: kind === 'discarded' ? 'discarded' : 'amended', units: unitsAfter, notes, keyId };
  });
  return [reported, ...acts];
}
