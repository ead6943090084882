import type { Queryable } from '../../db/connect.ts';
import { forgetOldResponses } from '../../db/idempotency/response.ts';
import { forgetSent } from '../../db/outbox/forget.ts';

/** Deletes up to `most` rows of each kind. @returns whether there may be more */
export async function forgetOld(db: Queryable, now: number, most: number): Promise<boolean> {
  const answers = await forgetOldResponses(db, now, most);
  const messages = await forgetSent(db, now, most);
  return answers === most || messages === most;
}
