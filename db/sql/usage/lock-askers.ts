import type { Instant } from '../../../billing/calendar/instant.ts';
import type { CustomerState } from '../../../billing/lifecycle/customer.ts';
import type { Queryable } from '../../connect.ts';
import { isCustomerLate } from '../agenda/late.ts';
import { type LockedElsewhere, lockWords } from '../lock.ts';

/** A customer that a check asks for, at its own time. */
export interface AskingCustomer {
  id: string;
  vendorId: string;
  status: CustomerState;
  clockId: string | null;
  isAdvancing: boolean;
  /** its personal data were asked to be erased */
  isErased: boolean;
  resumeAt: Instant | null;
  /** something is due and undone that may change what contracts give */
  isLate: boolean;
  now: Instant;
}

/** Customers that are asked for, and the vendors that ask. */
interface Asking {
  ids: readonly string[];
  vendorIds: readonly string[];
}

/** Locks customers against other changes of their usage. SQL, because it locks many in one order. */
export async function lockAskers(tx: Queryable, { ids, vendorIds }: Asking, locked: LockedElsewhere): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `select id from customer where id = any($1::text[]) and vendor_id = any($2::text[]) order by id for no key update${lockWords(locked)}`,
    [ids, vendorIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Customers and their times. SQL, because the time is Postgres's own, or that of a test clock. */
export const readAskers = (tx: Queryable, { ids, vendorIds }: Asking): Promise<AskingCustomer[]> =>
  tx.query<AskingCustomer>(
    `select c.id, c.vendor_id as "vendorId", c.status, c.test_clock_id as "clockId", coalesce(t.status = 'advancing', false) as "isAdvancing",
       c.erased_at is not null as "isErased", c.resume_at as "resumeAt", c.test_clock_id is null and ${isCustomerLate('c.id')} as "isLate",
       date_trunc('milliseconds', coalesce(t.now, clock_timestamp())) as now
     from customer c left join test_clock t on t.id = c.test_clock_id where c.id = any($1::text[]) and c.vendor_id = any($2::text[])`,
    [ids, vendorIds],
  );
