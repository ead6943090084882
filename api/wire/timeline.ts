import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ContractTimeline } from '../../db/sql/contract/timeline.ts';
import type { Timeline } from '../schema/timeline.ts';
import { recordToWire } from './plain.ts';

export const timelineToWire = ({ past, earlier, next, parkedReason }: ContractTimeline): z.input<typeof Timeline> => ({
  past: past.map(({ at, kind, object, detail, caller_type, caller_id }) => ({
    at: iso(at),
    what: kind,
    object,
    actor: { type: caller_type, id: caller_id },
    data: recordToWire(detail),
  })),
  earlier: earlier === null ? null : iso(earlier),
  next: next.map(({ at, kind, object, detail }) => ({ at: iso(at), what: kind, subject: object, detail: recordToWire(detail) })),
  parked_reason: parkedReason,
});
