import type { Configuration } from '../../billing/contract/types.ts';
import type { CustomerState } from '../../billing/lifecycle/customer.ts';
import type { Row } from '../connect.ts';
import type { CustomerRecord } from '../customer/customer.ts';
import type { Address } from '../entities/vendor.ts';
import { stamp } from '../rows.ts';

export interface CustomerRecordRow {
  id: string;
  vendor_id: string;
  created: number;
  name: string;
  emails: Record<string, string>;
  addresses: Record<string, Address>;
  metadata: Record<string, string>;
  status: CustomerState;
  customer_reference: string | null;
  notes: string | null;
  vat_id: string | null;
  test_clock_id: string | null;
  configuration: Partial<Configuration>;
}

export const CUSTOMER_COLUMNS = `customer.id, customer.vendor_id, customer.created, customer.name, customer.emails, customer.addresses,
  customer.metadata, customer.status, customer.customer_reference, customer.notes, customer.vat_id, customer.test_clock_id, customer.configuration`;

export function toCustomer(row: CustomerRecordRow): CustomerRecord {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    created: row.created,
    name: row.name,
    emails: row.emails,
    addresses: row.addresses,
    metadata: row.metadata,
    status: row.status,
    customerReference: row.customer_reference,
    notes: row.notes,
    vatId: row.vat_id,
    clockId: row.test_clock_id,
    configuration: row.configuration,
  };
}

export function fromCustomer(customer: CustomerRecord): Row {
  const emails = Object.values(customer.emails).map((email) => email.toLowerCase());
  return {
    id: customer.id,
    vendor_id: customer.vendorId,
    created: stamp(customer.created),
    name: customer.name,
    emails: customer.emails,
    email_keys: emails,
    addresses: customer.addresses,
    metadata: customer.metadata,
    status: customer.status,
    customer_reference: customer.customerReference,
    notes: customer.notes,
    vat_id: customer.vatId,
    test_clock_id: customer.clockId,
    configuration: customer.configuration,
    search: [customer.name, ...emails, customer.customerReference ?? ''].join('\n').toLowerCase(),
  };
}
