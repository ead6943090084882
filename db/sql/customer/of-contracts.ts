import type { CustomerState } from '../../../billing/lifecycle/customer.ts';
import type { Queryable } from '../../connect.ts';
import type { Address } from '../../entities/vendor.ts';
import { pausesOf, type StoredPauses } from './pauses.ts';

/** What a rule about a contract has to know of its customer. */
export interface CustomerFacts {
  id: string;
  vendorId: string;
  status: CustomerState;
  addresses: Record<string, Address>;
  vatId: string | null;
  pauses: StoredPauses;
  /** the default payment method is active */
  hasMethod: boolean;
}

/** SQL of an expression: whether a customer's default payment method is active. */
export const hasMethodOf = (customer: string): string =>
  `exists (select 1 from payment_method m where m.id = ${customer}.default_payment and m.status = 'active')`;

const SQL = `select c.id, c.vendor_id as "vendorId", c.status, c.addresses, c.vat_id as "vatId", ${pausesOf('c.id')} as pauses,
    ${hasMethodOf('c')} as "hasMethod"
  from customer c where c.id = any($1::text[])`;

/**
 * The customers of a batch of contracts, with their freezes. SQL: one of the statements that every step of a contract
 * needs.
 */
export const customersOfContracts = (tx: Queryable, customerIds: readonly string[]): Promise<CustomerFacts[]> =>
  tx.query<CustomerFacts>(SQL, [customerIds]);
