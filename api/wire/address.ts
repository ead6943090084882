import type { z } from 'zod';
import type { Address } from '../../db/entities/vendor.ts';
import type { AddressEntry } from '../schema/address.ts';

type Entry = z.output<typeof AddressEntry>;

/** The address in a request; an empty state or second line becomes null. */
export const addressFromWire = (entry: Entry): Address => ({
  line_1: entry.line_1 ?? entry.address ?? '',
  line_2: entry.line_2 || null,
  city: entry.city,
  state: entry.state || null,
  zip: entry.zip,
  country: entry.country,
});
