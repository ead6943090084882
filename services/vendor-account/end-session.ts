import type { Tx } from '../../db/connect.ts';
import { EndedSession } from '../../db/entities/vendor.ts';
import { forgetEndedSessions } from '../../db/sql/vendor-account/forget-ended-sessions.ts';

/** Expired rows that are deleted each time a session ends, so that the table stays small. */
const FORGOTTEN_AT_ONCE = 100;

/**
 * Ends a session of a vendor's people: its cookie opens nothing any more, wherever copies of it are. The session is
 * noted until its cookie would have expired anyway.
 */
export async function endSession(tx: Tx, { id, expires }: { id: string; expires: number }, now = Date.now()): Promise<void> {
  await forgetEndedSessions(tx, now, FORGOTTEN_AT_ONCE);
  await tx.em.upsert(EndedSession, { id, expires }, { onConflictAction: 'ignore' });
}
