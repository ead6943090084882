import type { Instant } from '../../billing/calendar/instant.ts';
import type { Configuration } from '../../billing/contract/types.ts';
import type { CustomerState } from '../../billing/lifecycle/customer.ts';
import type { Address } from '../entities/vendor.ts';
import type { Language } from './language.ts';

/** A customer of a vendor. Address labels keep their order: without `main` the first one counts. */
export interface CustomerRecord {
  id: string;
  vendorId: string;
  created: Instant;
  name: string;
  emails: Record<string, string>;
  addresses: Record<string, Address>;
  metadata: Record<string, string>;
  status: CustomerState;
  customerReference: string | null;
  notes: string | null;
  vatId: string | null;
  /** null: the vendor's */
  language: Language | null;
  clockId: string | null;
  configuration: Partial<Configuration>;
  /** when its freeze ends by itself; null: it doesn't, or there is none */
  resumeAt: Instant | null;
  /** when its personal data were asked to be erased */
  erasedAt: Instant | null;
}
