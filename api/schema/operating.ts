import { z } from 'zod';
import { ClockId, EventId, idSchema, Name, Timestamp, TimestampInput } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

export const KeyScope = z
  .enum(['full', 'read', 'usage'])
  .meta({ id: 'KeyScope', description: 'full: everything; read: all reads; usage: reporting usage alone.' });
export const KeyId = idSchema('Key').meta({ id: 'ApiKeyId', description: 'Id of an API key, which is not the key itself.' });

export const SessionStart = z
  .strictObject({ api_key: z.string().min(1).max(200).describe('A live key of yours; the session has its scope and ends with it.') })
  .meta({ id: 'SessionStart', description: 'What a session is opened with.' });

export const ApiKeyRequest = z
  .strictObject({
    name: Name.min(1).describe('What the key is for; it need not be unique.'),
    scope: KeyScope.describe('What the key may do; it never changes.'),
  })
  .meta({ id: 'ApiKeyRequest', description: 'A key to be made.' });
export const RotateRequest = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(2_592_000)
      .nullish()
      .describe('How long the old key still works; a day (86400) unless given, 0 ends it at once.'),
  })
  .meta({ id: 'RotateRequest', description: 'How a key is replaced.' });
export const ApiKeySecret = z
  .object({
    id: KeyId.describe('Names the key in later calls.'),
    key: z.string().describe('The secret for the header `wb-key`. It is kept as a hash and cannot be read again.'),
  })
  .meta({ id: 'ApiKeySecret', description: 'A new key, shown this once.' });
export const ApiKey = z
  .object({
    id: KeyId.describe('Names the key in calls.'),
    name: z.string().describe('What the key is for.'),
    scope: KeyScope.describe('What the key may do.'),
    created: Timestamp.describe('When it was made.'),
    expires: Timestamp.nullable().describe('When it ends by itself, after a rotation; null for never.'),
    revoked: Timestamp.nullable().describe('When it was revoked; null for never.'),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret.' });
export const ApiKeyPage = paginated(ApiKey, 'ApiKeyPage');

export const ClockRequest = z
  .strictObject({
    now: TimestampInput.describe('The time it starts at.'),
    name: Name.nullish().describe('What you call it; null or absent for none.'),
  })
  .meta({ id: 'TestClockRequest', description: 'A test clock to be made.' });
export const AdvanceRequest = z
  .strictObject({
    now: TimestampInput.describe(
      'The time to reach, at most 30 years ahead. Earlier than its own is a 400, the same instant is `ready` at once.',
    ),
  })
  .meta({ id: 'AdvanceRequest', description: 'How far a test clock moves.' });
export const TestClock = z
  .object({
    id: ClockId.describe('What customers name as `test_clock`.'),
    name: z.string().nullable().describe('What you call it; null for none.'),
    now: Timestamp.describe('Its own time; it moves while it advances.'),
    status: z
      .enum(['ready', 'advancing', 'failed'])
      .describe('ready: all that was due has happened; advancing: under way, writes to its customers are a 409; failed: it cannot go on.'),
    reason: z.string().nullable().describe('Why it failed; null otherwise.'),
    next_due: Timestamp.nullable().describe('When something happens next on it; null for nothing.'),
  })
  .meta({ id: 'TestClock', description: 'A time of its own for some customers.' });

export const Event = z
  .object({
    id: EventId.describe('The entry itself, the same in every delivery of it.'),
    type: z.string().describe('What happened, for example `v1.invoice.created`.'),
    timestamp: Timestamp.describe('When it happened, on the customer’s clock.'),
    object: z.string().describe('Id of what it happened to.'),
    sequence: z.int().describe('Number of this event among those of its object, from 1 without gaps.'),
    data: z.record(z.string(), z.unknown()).describe('`id` of the object and what belongs to the event, by type.'),
  })
  .meta({ id: 'Event', description: 'An entry in the log of what happened.' });
export const EventPage = paginated(Event, 'EventPage');
export const EventSearch = z.strictObject({
  type: Name.optional().describe('Only events of exactly this type.'),
  object: Name.optional().describe('Only events of the object with this id.'),
  after: EventId.optional().describe('Only events recorded after this one.'),
  ...pagingQuery,
});

export const SessionResponse = z
  .object({
    scope: KeyScope.describe('What the session may do, as its key.'),
    expires: Timestamp.describe('When the session ends by itself, 12 hours after its start.'),
  })
  .meta({ id: 'SessionAnswer', description: 'A session of yours; the cookie comes with it.' });
