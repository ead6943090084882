import { createHash } from 'node:crypto';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import type { Language } from '../../db/customer/language.ts';
import { readCustomer } from '../../db/customer/read.ts';
import type { Address } from '../../db/entities/vendor.ts';
import { recordHistory } from '../customer/history.ts';
import { lockCustomer } from '../customer/lock.ts';
import { updateCustomer } from '../customer/save.ts';
import type { PortalVisitor } from './token.ts';

/** What a customer may change of its own data. Other addresses and e-mail addresses are left as they are. */
export interface AccountData {
  name: string;
  /** '' for none */
  email: string;
  billingEmail: string;
  /** the one that invoices and taxes use */
  address: Address | null;
  /** the one labelled `billing`, where the vendor uses that label beside the main one */
  billingAddress: Address | null;
  vatId: string;
  /** null: the vendor's */
  language: Language | null;
}

/** The label of the address that counts: `main`, else the first one. */
const labelOf = ({ addresses }: CustomerRecord): string => (addresses.main === undefined ? (Object.keys(addresses)[0] ?? 'main') : 'main');

export function accountOf(customer: CustomerRecord): AccountData {
  const { name, emails, addresses, vatId, language } = customer;
  const label = labelOf(customer);
  return {
    name,
    email: emails.main ?? '',
    billingEmail: emails.billing ?? '',
    address: addresses[label] ?? null,
    billingAddress: label === 'billing' ? null : (addresses.billing ?? null),
    vatId: vatId ?? '',
    language,
  };
}

const ORDER: readonly (keyof Address)[] = ['line_1', 'line_2', 'zip', 'city', 'state', 'country'];
const plainAddress = (address: Address | null) => (address === null ? null : ORDER.map((field) => address[field]));

/** One value for what a customer saw of its data, which tells whether anybody has changed it since. */
export function accountVersion(account: AccountData): string {
  const { name, email, billingEmail, address, billingAddress, vatId, language } = account;
  const shown = [name, email, billingEmail, plainAddress(address), plainAddress(billingAddress), vatId, language];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/**
 * Writes what a customer has changed of its data; a form that changes nothing writes nothing.
 *
 * @param seen the version that the customer's form was made from
 * @returns false when somebody else has changed the data since; nothing is written then
 * @throws Refusal `customer_frozen`, `clock_advancing`
 */
export async function saveAccount(tx: Tx, { vendorId, customerId }: PortalVisitor, account: AccountData, seen: string): Promise<boolean> {
  const { now } = await lockCustomer(tx, vendorId, customerId, { lock: 'no key update' });
  const customer = await readCustomer(tx.em, vendorId, customerId);
  if (customer === null) throw new Refusal('customer_not_found', `There is no customer ${customerId}.`);
  const current = accountVersion(accountOf(customer));
  if (current === accountVersion(account)) return true;
  if (current !== seen) return false;
  await updateCustomer(tx, withAccount(customer, account), now);
  await recordHistory(tx, { customerId, kind: 'updated', at: now });
  return true;
}

function withAccount(customer: CustomerRecord, account: AccountData): CustomerRecord {
  const { name, email, billingEmail, address, billingAddress, vatId, language } = account;
  const label = labelOf(customer);
  return {
    ...customer,
    name,
    emails: labelled(customer.emails, { main: email || null, billing: billingEmail || null }),
    addresses: labelled(customer.addresses, { [label]: address, ...(label === 'billing' ? {} : { billing: billingAddress }) }),
    vatId: vatId || null,
    language,
  };
}

/** A map with some labels replaced in their place, those with null left out. */
function labelled<T>(before: Record<string, T>, given: Record<string, T | null>): Record<string, T> {
  const after = Object.entries({ ...before, ...given });
  return Object.fromEntries(after.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])));
}
