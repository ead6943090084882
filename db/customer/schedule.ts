import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';

interface DueRow {
  kind: string;
  dueAt: Instant;
  detail: Record<string, unknown>;
}

/** What is due of a customer and belongs to no contract, earliest first, a few. */
interface CustomerDue {
  customerId: string;
  vendorId: string;
  clockId: string | null;
  due: DueRow[];
}

const SHOWN = 8;

export async function readCustomerSchedule(db: Queryable, customerId: string): Promise<CustomerDue | null> {
  const [customer] = await db.query<Omit<CustomerDue, 'due'>>(
    'select id as "customerId", vendor_id as "vendorId", test_clock_id as "clockId" from customer where id = $1',
    [customerId],
  );
  if (customer === undefined) return null;
  const due = await db.query<DueRow>(
    `select kind, due_at as "dueAt", detail from agenda where workflow_id = 'customer:' || $1 and not held order by due_at, id limit ${SHOWN}`,
    [customerId],
  );
  return { ...customer, due };
}
