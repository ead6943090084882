import type { z } from 'zod';
import type { TaxPreferences } from '../../services/preferences/tax.ts';
import type { TaxPreferences as TaxPreferencesWire, TaxRequest } from '../schema/preferences.ts';
import { addressFromWire } from './address.ts';

export const taxToWire = ({ rates, policy, seller }: TaxPreferences): z.input<typeof TaxPreferencesWire> => ({
  rates: rates.map(({ taxCode, country, state, rate }) => ({ tax_code: taxCode, country, state, rate })),
  policy,
  seller,
});

/** The changed tax preferences of a request: absent fields stay, null clears rates or seller. */
export function taxFromWire(body: z.output<typeof TaxRequest>): Partial<TaxPreferences> {
  return {
    ...(body.rates === undefined ? {} : { rates: (body.rates ?? []).map(rateFromWire) }),
    ...(body.policy == null ? {} : { policy: body.policy }),
    ...(body.seller === undefined ? {} : { seller: body.seller === null ? null : sellerFromWire(body.seller) }),
  };
}

type Rate = NonNullable<z.output<typeof TaxRequest>['rates']>[number];
type Seller = NonNullable<z.output<typeof TaxRequest>['seller']>;

const rateFromWire = ({ tax_code, country, state, rate }: Rate) => ({
  taxCode: tax_code ?? null,
  country: country ?? null,
  state: state || null,
  rate,
});

const sellerFromWire = ({ name, address, vat_id }: Seller) => ({
  name,
  address: address == null ? null : addressFromWire(address),
  vat_id: vat_id ?? null,
});
