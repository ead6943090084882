import type { Queryable } from '../../connect.ts';
import { ratesOf, type TaxFacts } from './context.ts';

export type VendorTax = Pick<TaxFacts, 'taxPolicy' | 'seller' | 'rates'> & { id: string };

const SQL = `select v.id, v.tax_policy as "taxPolicy", v.seller, ${ratesOf('v.id')} as rates from vendor v where v.id = any($1::text[])`;

/**
 * The tax policies and rates of the vendors of a batch of contracts. SQL: one of the statements that every step of a
 * contract needs.
 */
export const taxOfVendors = (tx: Queryable, vendorIds: readonly string[]): Promise<VendorTax[]> => tx.query<VendorTax>(SQL, [vendorIds]);
