import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { OVERDUE } from './overdue.ts';

/** Something of a vendor that is due and not done. */
export interface OverdueOfVendor {
  kind: string;
  contractId: string | null;
  customerId: string;
  dueAt: Instant;
}

const COLUMNS = 'a.kind, a.contract_id as "contractId", a.customer_id as "customerId", a.due_at as "dueAt"';

/**
 * What should have been done for a vendor, the longest due first: on the wall clock what is a minute past, on a test
 * clock what it has passed while it stands still. SQL, because a row is compared with its own clock.
 */
export const overdueOfVendor = (db: Queryable, vendorId: string, clockId: string | null, most: number): Promise<OverdueOfVendor[]> =>
  clockId === null
    ? db.query<OverdueOfVendor>(`select ${COLUMNS} from agenda a where a.vendor_id = $1 and ${OVERDUE} order by a.due_at, a.id limit $2`, [
        vendorId,
        most,
      ])
    : db.query<OverdueOfVendor>(
        `select ${COLUMNS} from agenda a join test_clock t on t.id = a.test_clock_id
         where a.vendor_id = $1 and a.test_clock_id = $2 and t.status <> 'advancing' and not a.held and a.due_at <= t.now
         order by a.due_at, a.id limit $3`,
        [vendorId, clockId, most],
      );
