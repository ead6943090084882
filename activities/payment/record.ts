import { recordAttempt as record } from '../../services/payment/record-attempt.ts';
import type { AttemptOutcome, AttemptRef, Charged } from '../../workflows/payment/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export const recordAttemptActivity =
  ({ db, payments }: ActivityDependencies) =>
  ({ attemptId, charged }: AttemptRef & { charged: Charged }): Promise<AttemptOutcome> =>
    db.transaction((tx) => record(tx, attemptId, charged, payments.retryDays), { by: 'provider' });
