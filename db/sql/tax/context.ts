import type { TaxContext, TaxPolicy, TaxRate } from '../../../billing/invoice/types.ts';
import type { Address, Seller } from '../../entities/vendor.ts';

/** What tax depends on: the vendor's policy and rates, and where the customer is. */
export interface TaxFacts {
  taxPolicy: TaxPolicy;
  seller: Seller | null;
  rates: TaxRate[] | null;
  addresses: Record<string, Address>;
  vatId: string | null;
}

/** SQL of an expression: the tax rates of a vendor as JSON, in their order; null where there are none. */
export const ratesOf = (vendorId: string): string =>
  `(select jsonb_agg(jsonb_build_object('taxCode', r.tax_code, 'country', r.country, 'state', r.state, 'rate', r.rate::text) order by r.position, r.id)
    from tax_rate r where r.vendor_id = ${vendorId})`;

/**
 * `main`, else the first label. JavaScript puts labels that are whole numbers before all others, the lowest first; they
 * are stored in that order, so SQL finds the same one.
 */
export function mainAddress(addresses: Record<string, Address>): Address | null {
  return addresses.main ?? Object.values(addresses)[0] ?? null;
}

export function toTaxContext({ taxPolicy, seller, rates, addresses, vatId }: TaxFacts): TaxContext {
  const address = mainAddress(addresses);
  return {
    policy: taxPolicy,
    rates: rates ?? [],
    sellerCountry: seller?.address?.country ?? null,
    country: address?.country ?? null,
    state: address?.state ?? null,
    vatId,
  };
}
