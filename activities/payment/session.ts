import type { SetupOutcome } from '../../billing/payment/types.ts';
import { concludeSession, expireSession, sessionDue } from '../../db/payment/session.ts';
import type { AgendaHandler } from '../agenda/registry.ts';

const NOT_ASKED: SetupOutcome = { status: 'pending', reason: 'provider_not_configured' };

/** Ends a session whose time is over. The provider is asked a last time: whoever finished it while no notice reached us isn't turned away. One whose keys are gone can't be asked. */
export const endSession: AgendaHandler = async ({ db, deliver, payments }, { subject: token }) => {
  const open = await sessionDue(db, token);
  if (open === null || open.session.expires > open.now) return;
  const { session } = open;
  const { providers } = payments;
  const outcome = providers.has(session.provider) ? await providers.get(session.provider).readSetup(session) : NOT_ASKED;
  const wishes = await db.transaction(async (tx) => {
    const made = await concludeSession(tx, token, outcome);
    await expireSession(tx, token);
    return made;
  });
  await deliver(wishes);
};
