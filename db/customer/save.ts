import type { Tx } from '../connect.ts';
import { publish } from '../event/publish.ts';
import { fromCustomer } from '../mapping/customer.ts';
import { insertRows, stamp } from '../rows.ts';
import type { CustomerRecord } from './customer.ts';

/** Writes a new customer and tells of it. */
export async function insertCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  await insertRows(tx, 'customer', [{ ...fromCustomer(customer), default_payment: 'none' }]);
  await publish(tx, [{ vendorId: customer.vendorId, type: 'v1.customer.created', objectId: customer.id, at, data: {} }]);
}

/** Brings a customer's row to what it shall be; who holds it is not judged here. Status and freezes have their own writes. */
export async function updateCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  const { id, created: _created, status: _status, vendor_id: _vendor, test_clock_id: _clock, ...columns } = fromCustomer(customer);
  const names = Object.keys(columns);
  await tx.query(
    `update customer set (${names.join(', ')}) =
       (select ${names.map((name) => `x.${name}`).join(', ')} from json_populate_record(null::customer, $2::json) x) where id = $1`,
    [id, JSON.stringify(columns)],
  );
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
