import { z } from 'zod';
import { ClockId, EventId, idOf, Name, Timestamp, TimestampInput } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

export const KeyScope = z.enum(['full', 'read', 'usage']).meta({ id: 'KeyScope' });
export const KeyId = idOf('Key').meta({ id: 'ApiKeyId' });

export const SessionStart = z.strictObject({ api_key: z.string().min(1).max(200) }).meta({ id: 'SessionStart' });

export const ApiKeyRequest = z.strictObject({ name: Name.min(1), scope: KeyScope }).meta({ id: 'ApiKeyRequest' });
export const RotateRequest = z
  .strictObject({ overlap_seconds: z.int().min(0).max(2_592_000).nullish().meta({ description: 'how long the old key still works' }) })
  .meta({ id: 'RotateRequest' });
export const ApiKeySecret = z.object({ id: KeyId, key: z.string() }).meta({ id: 'ApiKeySecret' });
export const ApiKey = z
  .object({
    id: KeyId,
    name: z.string(),
    scope: KeyScope,
    created: Timestamp,
    expires: Timestamp.nullable(),
    revoked: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export const ApiKeyPage = paginated(ApiKey, 'ApiKeyPage');

export const ClockRequest = z.strictObject({ now: TimestampInput, name: Name.nullish() }).meta({ id: 'TestClockRequest' });
export const AdvanceRequest = z.strictObject({ now: TimestampInput }).meta({ id: 'AdvanceRequest' });
export const TestClock = z
  .object({
    id: ClockId,
    name: z.string().nullable(),
    now: Timestamp,
    status: z.enum(['ready', 'advancing', 'failed']),
    reason: z.string().nullable(),
    next_due: Timestamp.nullable(),
  })
  .meta({ id: 'TestClock' });

export const Event = z
  .object({
    id: EventId,
    type: z.string(),
    timestamp: Timestamp,
    object: z.string(),
    sequence: z.int(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });
export const EventPage = paginated(Event, 'EventPage');
export const EventSearch = z.strictObject({
  type: Name.optional(),
  object: Name.optional(),
  after: EventId.optional().meta({ description: 'only events recorded after this one' }),
  ...pagingQuery,
});

export const SessionAnswer = z.object({ scope: KeyScope, expires: Timestamp }).meta({ id: 'SessionAnswer' });
