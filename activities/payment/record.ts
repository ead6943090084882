import { nowOf } from '../../db/clock/now.ts';
import { attemptById } from '../../db/payment/attempt.ts';
import { dropAttempt } from '../../db/payment/dunning.ts';
import { recordOutcome } from '../../db/payment/record.ts';
import type { Charged } from '../../workflows/payment/messages.ts';
import type { Dependencies } from '../dependencies.ts';

export const recordAttempt =
  ({ db, deliver, payments }: Dependencies) =>
  async ({ attemptId, fence, charged }: { attemptId: string; fence: number; charged: Charged }): Promise<void> => {
    if (charged.status === 'superseded') return;
    const wishes = await db.transaction(async (tx) => {
      if (charged.status !== 'given_up') return recordOutcome(tx, attemptId, charged, payments.retryDays);
      const attempt = await attemptById(tx, attemptId);
      return attempt === null ? [] : dropAttempt(tx, attemptId, fence, await nowOf(tx, attempt.clockId));
    });
    await deliver(wishes);
  };
