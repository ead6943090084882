import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ContractTimeline } from '../../db/sql/contract/timeline.ts';
import type { Timeline } from '../schema/contract.ts';
import { recordToWire } from './plain.ts';

export const timelineToWire = ({ past, next, parkedReason }: ContractTimeline): z.input<typeof Timeline> => ({
  past: past.map(({ at, kind, object, detail, caller_type, caller_id }) => ({
    at: iso(at),
    what: kind,
    object,
    actor: { type: caller_type, id: caller_id },
    data: recordToWire(detail),
  })),
  next: next.map(({ at, kind, object, detail }) => ({ at: iso(at), what: kind, subject: object, detail: recordToWire(detail) })),
  parked_reason: parkedReason,
});
