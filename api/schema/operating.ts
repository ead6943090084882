import { z } from 'zod';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../billing/event-types.ts';
import { AnyId, ClockId, EventId, idSchema, Name, Timestamp, TimestampInput } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

const KeyScope = z
  .enum(['full', 'read', 'usage'])
  .meta({ id: 'KeyScope', description: 'full: everything; read: all reads; usage: only reporting usage.' });
export const KeyId = idSchema('Key').meta({ id: 'ApiKeyId', description: 'Id of an API key, which is not the key itself.' });

export const SessionStart = z
  .strictObject({ api_key: z.string().min(1).max(200).describe('One of your live keys; the session has its scope and ends with it.') })
  .meta({ id: 'SessionStart', description: 'The key that a session is started with.' });

export const ApiKeyRequest = z
  .strictObject({
    name: Name.min(1).describe('What the key is for; it need not be unique.'),
    scope: KeyScope.describe('What the key may do; it never changes.'),
  })
  .meta({ id: 'ApiKeyRequest', description: 'A key to be created.' });
export const RotateRequest = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(2_592_000)
      .nullish()
      .describe('Seconds for which the old key still works; 86400 (a day) unless given, 0 ends it at once.'),
  })
  .meta({ id: 'RotateRequest', description: 'How a key is replaced.' });
export const ApiKeySecret = z
  .object({
    id: KeyId.describe('Id of the key, for later calls.'),
    key: z.string().describe('The secret for the header `wb-key`. Only its hash is stored, so it cannot be read again.'),
  })
  .meta({ id: 'ApiKeySecret', description: 'A new key with its secret, which is shown only once.' });
export const ApiKey = z
  .object({
    id: KeyId.describe('Id of the key, for calls about it.'),
    name: z.string().describe('What the key is for.'),
    scope: KeyScope.describe('What the key may do.'),
    created: Timestamp.describe('When it was created.'),
    expires: Timestamp.nullable().describe('When it ends after a rotation; null for never.'),
    revoked: Timestamp.nullable().describe('When it was revoked; null for never.'),
  })
  .meta({ id: 'ApiKey', description: 'A key without its secret.' });
export const ApiKeyPage = paginated(ApiKey, 'ApiKeyPage');

export const ClockRequest = z
  .strictObject({
    now: TimestampInput.describe('The time at which it starts.'),
    name: Name.nullish().describe('Your name for it; null or absent for none.'),
  })
  .meta({ id: 'TestClockRequest', description: 'A test clock to be created.' });
export const AdvanceRequest = z
  .strictObject({
    now: TimestampInput.describe(
      'The time to reach, at most 30 years ahead. An earlier time than the clock’s is a 400, the same time is `ready` at once.',
    ),
  })
  .meta({ id: 'AdvanceRequest', description: 'How far a test clock moves.' });
export const TestClock = z
  .object({
    id: ClockId.describe('Id of the clock, the `test_clock` of its customers.'),
    name: z.string().nullable().describe('Your name for it; null for none.'),
    now: Timestamp.describe('Time of the clock; it changes only while the clock advances.'),
    status: z
      .enum(['ready', 'advancing', 'failed'])
      .describe(
        'ready: everything that was due has happened; advancing: not finished yet, writes to its customers are a 409; failed: it cannot go on.',
      ),
    reason: z.string().nullable().describe('Why it failed; null otherwise.'),
    next_due: Timestamp.nullable().describe('When the next thing is due on it; null for nothing.'),
  })
  .meta({ id: 'TestClock', description: 'A separate time for some customers.' });
export const TestClockPage = paginated(TestClock, 'TestClockPage');

export const EventType = z
  .enum(EVENT_TYPE_NAMES)
  .meta({ id: 'EventType', description: EVENT_TYPE_NAMES.map((type) => `\`${type}\`: ${EVENT_TYPES[type]}`).join(' ') });
export const Event = z
  .object({
    id: EventId.describe('Id of the event, the same in every delivery.'),
    type: EventType.describe('What happened.'),
    timestamp: Timestamp.describe('When it happened, on the customer’s clock.'),
    object: z.string().describe('Id of the object that it happened to.'),
    sequence: z.int().describe('Number of this event among the events of its object, from 1 without gaps.'),
    data: z.record(z.string(), z.unknown()).describe('`id` of the object and the details of the event, by type.'),
  })
  .meta({ id: 'Event', description: 'An entry in the log of what happened.' });
export const EventPage = paginated(Event, 'EventPage');
export const EventSearch = z.strictObject({
  type: EventType.optional().describe('Only events of this type.'),
  object: AnyId.optional().describe('Only events of the object with this id.'),
  after: EventId.optional().describe('Only events recorded after this one.'),
  ...pagingQuery,
});

export const SessionResponse = z
  .object({
    scope: KeyScope.describe('What the session may do: the scope of its key.'),
    expires: Timestamp.describe('When the session ends, 12 hours after its start.'),
  })
  .meta({ id: 'SessionAnswer', description: 'A new session; the response also sets its cookie.' });
