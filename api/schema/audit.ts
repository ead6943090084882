import { z } from 'zod';
import { AnyId, idSchema, Name, Timestamp } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

const AuditId = idSchema('Audit').meta({ id: 'AuditId', description: 'Id of an entry of the audit log.' });

const Actor = z
  .object({
    type: z
      .enum(['key', 'console', 'person', 'portal', 'system'])
      .describe(
        'key: a call with an API key; console: somebody of yours in the console, signed in with a key; person: one signed in with your sign-in service; portal: a customer; system: what time brought, or a payment provider.',
      ),
    id: z.string().nullable().describe('Id of the key, of the person, or of the customer in the portal; null for the system.'),
  })
  .meta({ id: 'AuditActor', description: 'Who has changed something.' });

const Fields = z.record(z.string(), z.unknown()).nullable();

export const AuditEntry = z
  .object({
    id: AuditId.describe('Id of the entry; give it as `after` to go on from there.'),
    at: Timestamp.describe('When it was written, on the wall clock.'),
    actor: Actor.describe('Who it was.'),
    action: z
      .string()
      .describe(
        'The operation of this API; `portal.` or `console.` and the page’s address for an act in the portal or the console; for the system the type of the event without `v1.`.',
      ),
    object: z.string().describe('The id in the call’s path, else the id of what was made; your own id for your preferences.'),
    before: Fields.describe('Former values of what changed in the object itself; null where that is new or nothing of it changed.'),
    after: Fields.describe(
      'What was asked for, and the new values of what changed in the object itself; for the system the details of the event. No secrets.',
    ),
  })
  .meta({ id: 'AuditEntry', description: 'Who changed what, and when.' });
export const AuditPage = paginated(AuditEntry, 'AuditPage');
export const AuditSearch = z.strictObject({
  object: AnyId.optional().describe('Only entries about the object with this id.'),
  actor: Name.optional().describe('Only entries of the key, person or customer with this id, or of all of one type, for example `system`.'),
  after: AuditId.optional().describe('Only entries written after this one.'),
  ...pagingQuery,
});
