import type { Queryable } from '../../db/connect.ts';
import { forgetOldAnswers } from '../../db/idempotency/answer.ts';
import { forgetSent } from '../../db/outbox/forget.ts';

/** Deletes up to `most` rows of each kind. @returns whether there may be more */
export async function forgetOld(db: Queryable, now: number, most: number): Promise<boolean> {
  const answers = await forgetOldAnswers(db, now, most);
  const messages = await forgetSent(db, now, most);
  return answers === most || messages === most;
}
