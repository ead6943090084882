import type { Queryable } from '../../db/connect.ts';
import { forgetOldResponses } from '../../db/sql/idempotency/forget-old.ts';
import { forgetSent } from '../../db/sql/outbox/forget-sent.ts';

/** Deletes up to `most` rows of each kind. @returns whether there may be more */
export async function forgetOld(db: Queryable, now: number, most: number): Promise<boolean> {
  const answers = await forgetOldResponses(db, now, most);
  const messages = await forgetSent(db, now, most);
  return answers === most || messages === most;
}
