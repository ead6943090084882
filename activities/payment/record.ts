import { recordAttempt as record } from '../../services/payment/record-attempt.ts';
import type { RecordedCharge, RecordedOutcome } from '../../workflows/payment/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export const recordAttemptActivity =
  ({ db, payments }: ActivityDependencies) =>
  async ({ attemptId, charged, signals }: RecordedCharge): Promise<RecordedOutcome> => {
    const outcome = await db.transaction((tx) => record(tx, attemptId, charged, payments.retryDays), { by: 'provider' });
    return { ...outcome, signals };
  };
