import { z } from 'zod';
import { Name, needs } from './common.ts';
import { Country } from './country.ts';

const fields = {
  city: Name,
  country: Country,
  zip: Name,
  line_2: Name.nullish(),
  state: Name.nullish().meta({ description: 'administrative region; empty text is null' }),
};

/** Endpoint 8 and a seller's address. */
export const AddressRequest = z.strictObject({ ...fields, line_1: Name }).meta({ id: 'AddressRequest' });

/** Inside a customer's `addresses` the first line may be called `address` too. */
export const AddressEntry = z
  .strictObject({ ...fields, line_1: Name.optional(), address: Name.optional() })
  .refine((entry) => entry.line_1 !== undefined || entry.address !== undefined, needs('line_1'))
  .meta({ id: 'AddressEntry' });

export const Address = z
  .object({
    city: z.string(),
    country: z.string(),
    line_1: z.string(),
    zip: z.string(),
    line_2: z.string().nullable(),
    state: z.string().nullable(),
  })
  .meta({ id: 'Address' });
