import type { SetupOutcome } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import type { Actor } from '../../db/transaction.ts';
import type { Payments } from './open.ts';
import { concludeSession, expireSession, sessionDue } from './session.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

const NOT_ASKED: SetupOutcome = { status: 'pending', reason: 'provider_not_configured' };

/** Ends the sessions of a customer whose time has passed by the customer's clock. */
export async function expireSessions(parts: Parts, customerId: string): Promise<void> {
  const rows = await parts.db.query<{ token: string }>(
    `select subject as token from agenda where workflow_id = 'customer:' || $1 and kind = 'session_expiry' and due_at <= clock_timestamp() order by due_at`,
    [customerId],
  );
  for (const { token } of rows) await endDueSession(parts, token, 'timer');
}

/**
 * Ends a session whose time has passed. The provider is asked a last time: a customer who finished it while no notice reached us isn't turned away. One
 * whose provider has lost its keys can't be asked.
 */
export async function endDueSession({ db, payments }: Parts, token: string, by: Actor): Promise<void> {
  const open = await sessionDue(db, token);
  if (open === null || open.session.expires > open.now) return;
  const { session } = open;
  const { providers } = payments;
  const outcome = providers.has(session.provider) ? await providers.get(session.provider).readSetup(session) : NOT_ASKED;
  await db.transaction(
    async (tx) => {
      await concludeSession(tx, token, outcome);
      await expireSession(tx, token);
    },
    { by },
  );
}
