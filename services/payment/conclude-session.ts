import type { SetupOutcome } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import type { Provider } from '../../payments/port.ts';
import { lockCustomer } from '../customer/lock.ts';
import type { Payments } from './open-payments.ts';
import { concludeSession, readSession, type Session } from './session.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

/**
 * Asks the provider what became of a session, and ends it where it has ended there.
 *
 * @param ask what the provider is asked
 * @returns the session as it is then
 * @throws Refusal `customer_frozen`, `clock_advancing`; `ProviderNotConfigured`, and the error of a provider that
 *   doesn't answer
 */
export async function concludeByProvider(
  { db, payments }: Parts,
  session: Session,
  ask: (provider: Provider) => Promise<SetupOutcome>,
): Promise<Session> {
  const outcome = await ask(payments.providers.get(session.provider));
  await db.transaction(async (tx) => {
    await lockCustomer(tx, session.vendorId, session.customerId, { lock: 'update' });
    await concludeSession(tx, session.token, outcome);
  });
  return (await readSession(db.em(), session.token)) ?? session;
}
