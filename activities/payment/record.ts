import { recordAttempt as record } from '../../services/payment/record-attempt.ts';
import type { AttemptOutcome, AttemptRef, Charged } from '../../workflows/payment/messages.ts';
import type { Dependencies } from '../dependencies.ts';

export const recordAttempt =
  ({ db, payments }: Dependencies) =>
  ({ attemptId, charged }: AttemptRef & { charged: Charged }): Promise<AttemptOutcome> =>
    db.transaction((tx) => record(tx, attemptId, charged, payments.retryDays), { by: 'provider' });
