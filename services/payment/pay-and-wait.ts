import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';

/** A provider usually answers within a second; a later outcome is read from the invoice. */
const LONGEST_WAIT_MS = 10_000;

/** How a request waits for the outcome of an attempt; it returns early when the outcome is there. */
export type AwaitPayment = (attemptId: string, longestMs: number) => Promise<void>;

/**
 * Opens an attempt in a transaction of its own and waits for its outcome, which is then read from the invoice.
 *
 * @param open gives the attempt to wait for, null when there is none
 */
export async function payAndWait(
  { db, awaitPayment }: { db: Database; awaitPayment: AwaitPayment },
  open: (tx: Tx) => Promise<string | null>,
  asker: Asker,
): Promise<void> {
  const attemptId = await db.transaction(open, asker);
  if (attemptId !== null) await waitForOutcome(awaitPayment, attemptId);
}

/** Waits for an attempt as long as a request may. */
export const waitForOutcome = (awaitPayment: AwaitPayment, attemptId: string): Promise<void> => awaitPayment(attemptId, LONGEST_WAIT_MS);
