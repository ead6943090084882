import type { ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { newId } from '../../db/id.ts';
import type { HostedSetup, Setup } from '../../payments/port.ts';
import { lockCustomer } from '../customer/lock.ts';
import type { Payments } from './open-payments.ts';
import { concludeSelfHandled, customerReferenceOf, insertSession, type NewSession, readSession, type Session } from './session.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

interface SessionRequest {
  /** null: the usual one */
  provider: ProviderName | null;
  /** whether a billing address is collected */
  address: boolean;
  detachPrevious: boolean;
  planId: string | null;
  pricingId: string | null;
  /** a page of the provider collects the method; its addresses to come back to, by the session's token */
  hosted?: (token: string) => HostedSetup;
}

/** A session that was opened, with what only the customer's browser may see. */
export type OpenedSession = { session: Session } & Pick<Setup, 'clientSecret' | 'page'>;

/**
 * Opens a payment session: asks the provider for a set-up, then writes it down. Before the provider is asked the
 * customer is checked; it is locked again when the session is written.
 *
 * @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`; `ProviderNotConfigured`, and the error of
 *   a provider that doesn't answer: nothing was written then
 */
export async function openSession(
  parts: Parts,
  vendorId: string,
  customerId: string,
  asker: Asker,
  request: SessionRequest,
): Promise<OpenedSession> {
  const { db, payments } = parts;
  const { hosted, address, detachPrevious, planId, pricingId } = request;
  const name = payments.providers.servedBy(request.provider ?? payments.providers.usual);
  const provider = payments.providers.get(name);
  const customer = await checkedCustomer(db, vendorId, customerId);
  const token = newId('PSess');
  const { clientSecret, page, ...setup } = await provider.createSetup({
    ...{ token, customerId, customerName: customer.name, address, email: emailOf(customer) },
    customerReference: await customerReferenceOf(db.em(), customerId, name),
    ...(hosted === undefined ? {} : { hosted: hosted(token) }),
  });
  const owner = { token, vendorId, customerId, clockId: customer.clockId, provider: name };
  await storeSession(db, asker, { ...owner, ...setup, address, detachPrevious, planId, pricingId });
  const session = await readSession(db.em(), token);
  if (session === null) throw new Error(`payment session ${token} is gone`);
  return { session, clientSecret, ...(page === undefined ? {} : { page }) };
}

/** E-mail addresses have no order of their own: Postgres keeps them by the length of their labels. */
const emailOf = ({ emails }: CustomerRecord): string | null => emails.main ?? emails.billing ?? Object.values(emails)[0] ?? null;

async function checkedCustomer(db: Database, vendorId: string, customerId: string): Promise<CustomerRecord> {
  await db.transaction((tx) => lockCustomer(tx, vendorId, customerId));
  const customer = await readCustomer(db.em(), vendorId, customerId);
  if (customer === null) throw new Refusal('customer_not_found', `There is no customer ${customerId}.`);
  return customer;
}

function storeSession(db: Database, asker: Asker, session: Omit<NewSession, 'created'>): Promise<void> {
  const store = async (tx: Tx) => {
    const { now } = await lockCustomer(tx, session.vendorId, session.customerId, { lock: 'update' });
    await insertSession(tx, { ...session, created: now });
    if (session.provider === 'self_handled') await concludeSelfHandled(tx, session.token);
  };
  return db.transaction(store, asker);
}
