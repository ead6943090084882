import type { z } from 'zod';
import type { Address } from '../schema/address.ts';

/** The address of the example customer, Ada. */
export const exampleAddress = {
  line_1: '1 Main Street',
  line_2: null,
  city: 'Berlin',
  state: null,
  zip: '10115',
  country: 'DE',
} satisfies z.input<typeof Address>;
