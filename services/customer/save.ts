import type { Instant } from '../../billing/calendar/instant.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { born } from '../../billing/lifecycle/machine.ts';
import type { Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { publish } from '../../db/event/publish.ts';
import { newId } from '../../db/id.ts';
import { fromCustomer } from '../../db/mapping/customer.ts';
import { insertRows, stamp, updateRows } from '../../db/rows.ts';

/** A new customer of whom nothing is known yet; null clock: on the wall clock. */
export const blankCustomer = (vendorId: string, clockId: string | null, created: Instant): CustomerRecord => ({
  id: newId('Cust'),
  vendorId,
  created,
  name: '',
  emails: {},
  addresses: {},
  metadata: {},
  status: born(customerMachine, 'create'),
  customerReference: null,
  notes: null,
  vatId: null,
  clockId,
  configuration: {},
});

/** Writes a new customer and tells of it. */
export async function insertCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  await insertRows(tx, 'customer', [{ ...fromCustomer(customer), default_payment: 'none' }]);
  await publish(tx, [{ vendorId: customer.vendorId, type: 'v1.customer.created', objectId: customer.id, at, data: {} }]);
}

/** Brings a customer's row to what it shall be; who holds it is not judged here. Status and freezes have their own writes. */
export async function updateCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  const { created: _created, status: _status, vendor_id: _vendor, test_clock_id: _clock, ...columns } = fromCustomer(customer);
  await updateRows(tx, 'customer', [{ ...columns, id: customer.id }]);
  await publish(tx, [{ vendorId: customer.vendorId, type: 'v1.customer.updated', objectId: customer.id, at, data: {} }]);
}

export interface HistoryEntry {
  customerId: string;
  kind: string;
  notes: string | null;
  keyId: string | null;
  at: number;
}

/** Keeps what was done to a customer, by which key, with the caller's notes. */
export async function recordHistory(tx: Tx, entry: HistoryEntry): Promise<void> {
  await insertRows(tx, 'customer_history', [
    { customer_id: entry.customerId, kind: entry.kind, notes: entry.notes, key_id: entry.keyId, at: stamp(entry.at) },
  ]);
}
