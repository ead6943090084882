import { Refusal } from '../billing/refusal.ts';
import { attemptById } from '../db/sql/payment/read-attempt.ts';
import { endUnknown } from '../services/payment/end-unknown.ts';
import { asOperator } from './as-operator.ts';
import { CommandError, type RunCommand } from './run.ts';
import { withConfiguredDatabase } from './with-database.ts';

export const runPaymentEnd: RunCommand = ({ args: [id = ''], say, printResult }) =>
  withConfiguredDatabase(async (db, { payments: { retryDays } }) => {
    const attempt = await attemptById(db, id);
    if (attempt === null) throw new CommandError(`there is no payment ${id}: doctor names those whose provider can't tell their outcome`);
    const asker = asOperator(attempt.vendorId, 'end_payment', attempt.invoiceId ?? attempt.customerId, { payment_id: id });
    const before = await db.transaction((tx) => endUnknown(tx, attempt, retryDays), asker).catch(throwRefused);
    if (!before.isEnded)
      throw new CommandError(
        before.status === 'processing'
          ? `${id} waits for its provider, which can tell what becomes of it`
          : `${id} has ended already: it ${before.status}`,
      );
    say(`${id} has ended as failed (it was ${before.reason}); the invoice can be paid in another way`);
    printResult({ id, status: 'failed', was: before.reason });
    return 0;
  });

function throwRefused(error: unknown): never {
  throw error instanceof Refusal ? new CommandError(error.message, { cause: error }) : error;
}
