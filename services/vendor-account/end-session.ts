import type { Tx } from '../../db/connect.ts';
import { EndedSession } from '../../db/entities/vendor.ts';
import { forgetEndedSessions } from '../../db/sql/vendor-account/forget-ended-sessions.ts';

/** Forgotten with each that ends, so that the table stays as small as there are sessions to remember. */
const FORGOTTEN_AT_ONCE = 100;

/**
 * Ends a session of a vendor's people: its cookie opens nothing any more, wherever copies of it are. Noted until the
 * cookie would have expired by itself.
 */
export async function endSession(tx: Tx, { id, expires }: { id: string; expires: number }, now = Date.now()): Promise<void> {
  await forgetEndedSessions(tx, now, FORGOTTEN_AT_ONCE);
  await tx.em.upsert(EndedSession, { id, expires }, { onConflictAction: 'ignore' });
}
