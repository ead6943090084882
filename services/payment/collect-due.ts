import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { mayPass } from '../../db/fault.ts';
import { stamp } from '../../db/rows.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { collectPayment, type DuePayment, PAYMENT_KINDS } from './collect.ts';

/** So many collections in one transaction; the agenda holds the rest. */
const AT_ONCE = 20;

/** Collections of a chain's invoices that are due, each by itself: one that fails doesn't hold up the rest, and stays on the agenda. */
export async function collectDueOfChain(tx: Tx, chainId: string, now: Instant): Promise<void> {
  for (const row of await dueRows(tx, 'workflow_id = $3', now, chainId)) {
    try {
      await inSavepoint(tx, () => collectPayment(tx, row, now));
    } catch (error) {
      if (mayPass(error)) throw error;
    }
  }
}

/** Collections that are due on a test clock. */
export const duePaymentsOnClock = (tx: Queryable, clockId: string, now: Instant): Promise<DuePayment[]> =>
  dueRows(tx, 'test_clock_id = $3', now, clockId);

function dueRows(tx: Queryable, where: string, now: Instant, id: string): Promise<DuePayment[]> {
  return tx.query<DuePayment>(
    `select kind, subject, detail from agenda where ${where} and due_at <= $1 and kind = any($2::text[]) and not held
     order by due_at, id limit ${AT_ONCE}`,
    [stamp(now), PAYMENT_KINDS, id],
  );
}
