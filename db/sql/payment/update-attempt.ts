import type { Queryable, Row } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';
import { updateRows } from '../rows.ts';
import type { Attempt } from './attempt.ts';

type Change = Partial<
  Pick<Attempt, 'status' | 'reason' | 'retryable' | 'reference' | 'calledAt' | 'askAt' | 'ended' | 'ledgerTransactionId' | 'invoiceId'>
>;

/** Brings an attempt that is locked to new values; others stay. SQL, because every step of a payment does it. */
export async function updateAttempt(
  tx: Queryable,
  id: string,
  { calledAt, askAt, ended, ledgerTransactionId, invoiceId, ...plain }: Change,
): Promise<void> {
  const row: Row & { id: string } = { id, ...plain };
  if (calledAt !== undefined) row.called_at = stampOrNull(calledAt);
  if (askAt !== undefined) row.ask_at = stampOrNull(askAt);
  if (ended !== undefined) row.ended = stampOrNull(ended);
  if (ledgerTransactionId !== undefined) row.ledger_transaction_id = ledgerTransactionId;
  if (invoiceId !== undefined) row.invoice_id = invoiceId;
  await updateRows(tx, 'payment_attempt', [row]);
}
