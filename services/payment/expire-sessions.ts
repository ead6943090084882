import type { SetupOutcome } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Actor } from '../../db/transaction.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import type { Payments } from './open-payments.ts';
import { concludeSession, expireSession, sessionDue } from './session.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

const NOT_ASKED: SetupOutcome = { status: 'pending', reason: 'provider_not_configured' };

/** Ends the sessions of a customer whose time has passed by the customer's clock. */
export async function expireSessions(parts: Parts, customerId: string): Promise<void> {
  const now = await nowOf(parts.db, null);
  const due = { workflowId: workflowIdOf('customer', customerId), kind: 'session_expiry', dueAt: { $lte: now } };
  const rows = await parts.db.em().find(Agenda, due, { orderBy: { dueAt: 'asc' } });
  for (const { subject } of rows) await endDueSession(parts, subject, 'timer');
}

/**
 * Ends a session whose time has passed. The provider is asked a last time: a customer who finished it while no notice
 * reached us isn't turned away. One whose provider has lost its keys can't be asked.
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
