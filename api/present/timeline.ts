import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { readTimeline, TimelineRow } from '../../db/contract/detail.ts';
import type { Timeline } from '../schema/contract.ts';

type Read = NonNullable<Awaited<ReturnType<typeof readTimeline>>>;

/** History and events of a contract in one line of time, then its agenda. */
export function presentTimeline({ past, events, next, parkedReason }: Read, contractId: string): z.input<typeof Timeline> {
  const happened = (row: TimelineRow) => ({ at: iso(row.at), what: row.kind, object: contractId, data: row.detail });
  return {
    past: [...past, ...events].toSorted((a, b) => a.at - b.at).map(happened),
    next: next.map((row) => ({ at: iso(row.at), what: row.kind, subject: row.subject, detail: row.detail })),
    parked_reason: parkedReason,
  };
}
