import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Configuration } from '../../../billing/contract/types.ts';
import type { CustomerState } from '../../../billing/lifecycle/customer.ts';
import type { Queryable } from '../../connect.ts';
import type { LockStrength } from '../lock.ts';

export interface LockedRow {
  id: string;
  vendorId: string;
  status: CustomerState;
  clockId: string | null;
  configuration: Partial<Configuration>;
  resumeAt: Instant | null;
  /** has limits or alerts on its usage */
  watched: boolean;
  /** when its personal data were asked to be erased */
  erasedAt: Instant | null;
}

/**
 * Locks a customer's row. SQL, because it is part of every sale and of every usage event that is decided one by one.
 */
export async function lockCustomerRow(tx: Queryable, vendorId: string, id: string, strength: LockStrength): Promise<LockedRow | null> {
  const [row] = await tx.query<LockedRow>(
    `select id, vendor_id as "vendorId", status, test_clock_id as "clockId", configuration, resume_at as "resumeAt", watched,
       erased_at as "erasedAt"
     from customer where id = $1 and vendor_id = $2 for ${strength}`,
    [id, vendorId],
  );
  return row ?? null;
}
