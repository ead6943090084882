import { Refusal } from '../billing/refusal.ts';
import type { Tx } from '../db/connect.ts';
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
    const end = async (tx: Tx) => {
      const { isEnded, status, reason } = await endUnknown(tx, attempt, retryDays);
      // thrown, so that the audit log has no entry of what changes nothing
      if (!isEnded) throw new CommandError(`${id} ${NOT_ENDED[status]}`);
      return reason;
    };
    const was = await db.transaction(end, asker).catch(throwRefused);
    say(`${id} has ended as failed (it was ${was}); the invoice can be paid in another way`);
    printResult({ id, status: 'failed', was });
    return 0;
  });

const NOT_ENDED = {
  processing: 'waits for its provider, which can tell what becomes of it',
  succeeded: 'has ended already: it succeeded',
  failed: 'has ended already: it failed',
} as const;

function throwRefused(error: unknown): never {
  throw error instanceof Refusal ? new CommandError(error.message, { cause: error }) : error;
}
