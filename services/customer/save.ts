import type { Instant } from '../../billing/calendar/instant.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { initialState } from '../../billing/lifecycle/machine.ts';
import { Refusal } from '../../billing/refusal.ts';
import { isOwnClock } from '../../db/clock/read.ts';
import type { Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { Customer } from '../../db/entities/customer.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { insertCustomerRow } from '../../db/sql/customer/insert.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { endingOutdatedGates } from '../payment-gate/customer-changed.ts';
import { refuseWhileAdvancing } from './lock.ts';

/** A new customer of whom nothing is known yet; null clock: on the wall clock. */
export const blankCustomer = (vendorId: string, clockId: string | null, created: Instant): CustomerRecord => ({
  id: newId('Cust'),
  vendorId,
  created,
  name: '',
  emails: {},
  addresses: {},
  metadata: {},
  status: initialState(customerMachine, 'create'),
  customerReference: null,
  notes: null,
  vatId: null,
  language: null,
  clockId,
  configuration: {},
  resumeAt: null,
  erasedAt: null,
});

/**
 * Makes a customer, as of now on its clock.
 *
 * @throws Refusal `test_clock_not_found`, `clock_advancing`
 */
export async function makeCustomer(tx: Tx, customer: Omit<CustomerRecord, 'created'>): Promise<string> {
  const { id, vendorId, clockId } = customer;
  if (clockId !== null && !(await isOwnClock(tx.em, vendorId, clockId)))
    throw new Refusal('test_clock_not_found', `There is no test clock ${clockId}.`, 'test_clock');
  await refuseWhileAdvancing(tx, clockId);
  const now = await nowOf(tx, clockId);
  await insertCustomer(tx, { ...customer, created: now }, now);
  return id;
}

/** Writes a new customer, and the event of it. */
export async function insertCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  await insertCustomerRow(tx, customer);
  await publish(tx, [{ vendorId: customer.vendorId, type: 'v1.customer.created', objectId: customer.id, at, data: {} }]);
}

/**
 * Writes a customer's data; the caller has locked it. Status and freezes have their own writes. What was to be paid by
 * other taxes than the new ones isn't made any more.
 */
export async function updateCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  const { id: customerId, vendorId } = customer;
  await endingOutdatedGates(tx, { customerId, vendorId, at }, () => writeCustomer(tx, customer, at));
}

async function writeCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  const { id, vendorId, name, emails, addresses, metadata, customerReference, notes, vatId, language, configuration } = customer;
  const stored = await tx.em.findOneOrFail(Customer, { id, vendorId });
  Object.assign(stored, { name, emails, addresses, metadata, customerReference, notes, vatId, language, configuration });
  await tx.em.flush();
  await publish(tx, [{ vendorId, type: 'v1.customer.updated', objectId: id, at, data: {} }]);
}
