import { openRefund, recordRefund } from '../../services/credit-note/refund.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** The refund's id is its key: however often it is tried, the provider gives back once. */
export const refundAtProvider =
  ({ db, payments }: ActivityDependencies) =>
  async ({ refundId }: { refundId: string }): Promise<void> => {
    const refund = await openRefund(db.em(), refundId);
    if (refund === null) return;
    const outcome = await payments.providers.get(refund.provider).refund(refund);
    await db.transaction((tx) => recordRefund(tx, refundId, outcome), { by: 'provider' });
  };
