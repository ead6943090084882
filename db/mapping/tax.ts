import type { TaxContext, TaxPolicy, TaxRate } from '../../billing/invoice/types.ts';
import type { Address, Seller } from '../entities/vendor.ts';

interface TaxPlace {
  addresses: Record<string, Address>;
  vat_id: string | null;
}

/** `main`, else the first label. */
export function mainAddress(addresses: Record<string, Address>): Address | null {
  return addresses.main ?? Object.values(addresses)[0] ?? null;
}

export function toTaxContext(vendor: { tax_policy: TaxPolicy; seller: Seller | null }, rates: TaxRate[], customer: TaxPlace): TaxContext {
  const address = mainAddress(customer.addresses);
  return {
    policy: vendor.tax_policy,
    rates,
    sellerCountry: vendor.seller?.address?.country ?? null,
    country: address?.country ?? null,
    state: address?.state ?? null,
    vatId: customer.vat_id,
  };
}
