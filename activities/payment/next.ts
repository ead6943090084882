import { claimPayment } from '../../db/payment/claim.ts';
import type { NextPayment } from '../../workflows/payment/messages.ts';
import type { Dependencies } from '../dependencies.ts';

export const nextPayment =
  ({ db, payments }: Dependencies) =>
  ({ invoiceId }: { invoiceId: string }): Promise<NextPayment> =>
    db.transaction((tx) => claimPayment(tx, invoiceId, (provider) => (attemptId) => payments.providers.keyOf(provider, attemptId)));
