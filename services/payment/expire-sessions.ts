import { DAY, MINUTE } from '../../billing/calendar/instant.ts';
import type { SetupOutcome } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Actor } from '../../db/transaction.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import type { Payments } from './open-payments.ts';
import { concludeSession, type DueSession, expireSession, sessionDue } from './session.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

type Unanswered = (error: unknown) => Promise<void>;

const NOT_ASKED: SetupOutcome = { status: 'pending', reason: 'provider_not_configured' };
/** For how long after its end a session waits for a provider that doesn't answer. */
const PATIENCE = DAY;
const ASKED_AGAIN_AFTER = 10 * MINUTE;
/** The most sessions of one call, each of which may wait for its provider; those that are left stay due. */
const AT_ONCE = 20;

/**
 * Ends the sessions of a customer whose time has passed by the customer's clock, the earliest first, some at a time:
 * how many a customer opens has no bound. One whose provider doesn't answer is asked again later, so that it doesn't
 * hold up what else is due of the customer.
 */
export async function expireSessions(parts: Parts, customerId: string): Promise<void> {
  const now = await nowOf(parts.db, null);
  const due = { workflowId: workflowIdOf('customer', customerId), kind: 'session_expiry', dueAt: { $lte: now } };
  const rows = await parts.db.em().find(Agenda, due, { orderBy: { dueAt: 'asc', id: 'asc' }, limit: AT_ONCE });
  const askLater = (token: string) => (error: unknown) =>
    parts.db.transaction(
      async ({ em, faults }) => {
        await em.nativeUpdate(Agenda, { kind: 'session_expiry', subject: token }, { dueAt: now + ASKED_AGAIN_AFTER });
        faults.push({ text: 'a payment session could not be asked about', about: { customer: customerId }, error });
      },
      { by: 'timer' },
    );
  for (const { subject } of rows) await endDueSession(parts, subject, 'timer', askLater(subject));
}

/**
 * Ends a session whose time has passed. The provider is asked a last time: a customer who finished it while no notice
 * reached us isn't turned away. One whose provider has lost its keys can't be asked, and one whose provider hasn't
 * answered for a day ends as it is.
 *
 * @param unanswered what happens until then; it throws the provider's error where it isn't given
 */
export async function endDueSession({ db, payments }: Parts, token: string, by: Actor, unanswered?: Unanswered): Promise<void> {
  const open = await sessionDue(db, token);
  if (open === null || open.session.expires > open.now) return;
  let outcome: SetupOutcome;
  try {
    outcome = await lastOutcome(payments, open);
  } catch (error) {
    if (unanswered === undefined) throw error;
    return unanswered(error);
  }
  await db.transaction(
    async (tx) => {
      await concludeSession(tx, token, outcome);
      await expireSession(tx, token);
    },
    { by },
  );
}

async function lastOutcome({ providers }: Payments, { session, now }: DueSession): Promise<SetupOutcome> {
  if (!providers.has(session.provider)) return NOT_ASKED;
  try {
    return await providers.get(session.provider).readSetup(session);
  } catch (error) {
    if (now < session.expires + PATIENCE) throw error;
    return NOT_ASKED;
  }
}
