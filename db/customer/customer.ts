import type { Instant } from '../../billing/calendar/instant.ts';
import type { Configuration } from '../../billing/contract/types.ts';
import type { Address } from '../entities/vendor.ts';
import { newId } from '../id.ts';

export type CustomerStatus = 'active' | 'inactive' | 'temporary';

/** A customer of a vendor. Address labels keep their order: without `main` the first one counts. */
export interface CustomerRecord {
  id: string;
  vendorId: string;
  created: Instant;
  name: string;
  emails: Record<string, string>;
  addresses: Record<string, Address>;
  metadata: Record<string, string>;
  status: CustomerStatus;
  customerReference: string | null;
  notes: string | null;
  vatId: string | null;
  clockId: string | null;
  configuration: Partial<Configuration>;
}

/** A new customer of whom nothing is known yet; null clock: on the wall clock. */
export const blankCustomer = (vendorId: string, clockId: string | null, created: Instant): CustomerRecord => ({
  id: newId('Cust'),
  vendorId,
  created,
  name: '',
  emails: {},
  addresses: {},
  metadata: {},
  status: 'temporary',
  customerReference: null,
  notes: null,
  vatId: null,
  clockId,
  configuration: {},
});
