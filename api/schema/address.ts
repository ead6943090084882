import { z } from 'zod';
import { Name, needs } from './common.ts';
import { Country } from './country.ts';

/** A zip code may be empty: not every country has them. */
const Line = Name.regex(/\S/, 'must not be empty');

const fields = {
  city: Line.describe('City, as written on an envelope.'),
  country: Country.describe('Country of the address; with `state` it decides the tax rate.'),
  zip: Name.describe('Zip or postal code, in the form of its country; empty text where the country has none.'),
  line_2: Name.nullish().describe('Second address line, for example a floor or a building; null or absent for none.'),
  state: Name.nullish().describe('Administrative region, for example CA; with `country` it decides the tax rate. Empty text is null.'),
};

/** An address in a request: a customer's main address, or the seller's. */
export const AddressRequest = z
  .strictObject({ ...fields, line_1: Line.describe('First address line: street and number.') })
  .meta({ id: 'AddressRequest', description: 'A postal address as sent in a request.' });

/** In a customer's `addresses` the first line can also be sent as `address`. */
export const AddressEntry = z
  .strictObject({
    ...fields,
    line_1: Line.optional().describe('First address line: street and number.'),
    address: Line.optional().describe('Another name for `line_1`, the same where both are given; responses always use `line_1`.'),
  })
  .refine((entry) => entry.line_1 !== undefined || entry.address !== undefined, needs('line_1'))
  .refine(({ line_1: first, address }) => first === undefined || address === undefined || first === address, {
    path: ['address'],
    message: 'must be the same as line_1: give one of them',
  })
  .meta({
    id: 'AddressEntry',
    description: 'A postal address of a customer; the first line is sent as `line_1` or `address`, one of them is required.',
  });

export const Address = z
  .object({
    city: z.string().describe('City, as it was given.'),
    country: z.string().describe('ISO 3166-1 alpha-2 code in capitals.'),
    line_1: z.string().describe('First address line: street and number.'),
    zip: z.string().describe('Zip or postal code, as it was given.'),
    line_2: z.string().nullable().describe('Second address line; null for none.'),
    state: z.string().nullable().describe('Administrative region; null for none.'),
  })
  .meta({ id: 'Address', description: 'A postal address as stored.' });
