import { concludeSession, expireSession, sessionDue } from '../../db/payment/session.ts';
import type { AgendaHandler } from '../agenda/registry.ts';

/** Ends a session whose time is over. The provider is asked a last time: whoever finished it while no notice reached us isn't turned away. */
export const endSession: AgendaHandler = async ({ db, deliver, payments }, { subject: token }) => {
  const open = await sessionDue(db, token);
  if (open === null || open.session.expires > open.now) return;
  const { session } = open;
  const outcome = await payments.providers.get(session.provider).readSetup(session);
  const wishes = await db.transaction(async (tx) => {
    const made = await concludeSession(tx, token, outcome);
    await expireSession(tx, token);
    return made;
  });
  await deliver(wishes);
};
