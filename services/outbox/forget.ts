import type { Queryable } from '../../db/connect.ts';
import { forgetOldResponses } from '../../db/sql/idempotency/forget-old.ts';
import { forgetSent } from '../../db/sql/outbox/forget-sent.ts';
import { forgetDeletedEndpoints, forgetTries } from '../../db/sql/webhook/forget.ts';

/**
 * Deletes up to `most` rows of each kind.
 *
 * @param triesKept milliseconds for which tries of webhooks are kept
 * @returns whether there may be more
 */
export async function forgetOld(db: Queryable, now: number, most: number, triesKept: number): Promise<boolean> {
  const answers = await forgetOldResponses(db, now, most);
  const messages = await forgetSent(db, now, most);
  const tries = await forgetTries(db, now - triesKept, most);
  const owned = await forgetDeletedEndpoints(db, most);
  return [answers, messages, tries, owned].includes(most);
}
