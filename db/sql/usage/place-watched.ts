import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { ReportedUsage } from '../../usage/event.ts';
import type { LockedElsewhere } from '../lock.ts';
import { entryParams, placedEntries } from './insert-plain.ts';

/** Where an event belongs, and when it is dated. */
export interface PlacedEvent {
  id: string;
  contractId: string;
  idx: number;
  at: Instant;
  arrivedAt: Instant;
}

const statement = (wait: '' | ' skip locked'): string => `with ${placedEntries('c.watched', wait)}
  select id, contract_id as "contractId", idx, at, arrived_at as "arrivedAt" from placed`;
const SKIPPING = statement(' skip locked');
const WAITING = statement('');

/**
 * Finds the contracts and periods of events of customers with limits, as for those without, and locks them. SQL,
 * because it is one statement for many events.
 */
export const placeWatched = (tx: Queryable, entries: readonly ReportedUsage[], locked: LockedElsewhere): Promise<PlacedEvent[]> =>
  tx.query<PlacedEvent>(locked === 'wait' ? WAITING : SKIPPING, entryParams(entries));
