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

const COLUMNS = `c.id, c.vendor_id as "vendorId", c.status, c.test_clock_id as "clockId", c.configuration, c.resume_at as "resumeAt", c.watched,
       c.erased_at as "erasedAt"`;

/** Exactly one of the two parts finds the row, unless the customer begins or ceases to be watched meanwhile. */
const COUNTING = `with watched as materialized (
    select ${COLUMNS} from customer c where c.id = $1 and c.vendor_id = $2 and c.watched for no key update
  ), other as materialized (
    select ${COLUMNS} from customer c where c.id = $1 and c.vendor_id = $2 and not c.watched for key share
  ) select * from watched union all select * from other`;

/**
 * Locks a customer's row to count usage; a watched customer is locked against others who count its usage. It is one
 * statement, since a transaction that has the row `for key share` and later wants a stronger lock could wait for a
 * freeze that waits for it.
 */
export async function lockCountedCustomer(tx: Queryable, vendorId: string, id: string): Promise<LockedRow | null> {
  const [row] = await tx.query<LockedRow>(COUNTING, [id, vendorId]);
  if (row !== undefined) return row;
  const [again] = await tx.query<LockedRow>(COUNTING, [id, vendorId]);
  return again ?? null;
}

/**
 * Locks a customer's row. SQL, because it is part of every sale and of every usage event that is decided one by one.
 */
export async function lockCustomerRow(tx: Queryable, vendorId: string, id: string, strength: LockStrength): Promise<LockedRow | null> {
  const [row] = await tx.query<LockedRow>(`select ${COLUMNS} from customer c where c.id = $1 and c.vendor_id = $2 for ${strength}`, [
    id,
    vendorId,
  ]);
  return row ?? null;
}
