import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A row of the agenda about e-mails. */
export interface EmailRow {
  customerId: string;
  kind: string;
  /** names the fact, so that it is queued once */
  subject: string;
  detail: object;
  /** on the customer's clock; null: now, by the wall clock, also for customers on test clocks */
  dueAt: Instant | null;
}

const SQL = `insert into agenda (vendor_id, customer_id, test_clock_id, workflow_id, kind, subject, due_at, held, detail)
  select c.vendor_id, c.id, case when x.due_at is null then null else c.test_clock_id end, 'customer:' || c.id, x.kind, x.subject,
    coalesce(x.due_at, clock_timestamp()), false, x.detail
  from jsonb_to_recordset($1::jsonb) as x(customer_id text, kind text, subject text, due_at timestamptz, detail jsonb)
  join customer c on c.id = x.customer_id join vendor v on v.id = c.vendor_id
  where (v.email ->> 'enabled')::boolean and (c.test_clock_id is null or (v.email ->> 'testClocks')::boolean)
  on conflict (kind, subject) do update set due_at = excluded.due_at, detail = excluded.detail where agenda.kind <> 'email'
  returning customer_id as "customerId", subject`;

/**
 * Puts e-mails, or the time to think of one, on the agenda where the vendor sends any; what is queued already is left
 * alone. SQL, because a batch of invoices queues all of its e-mails in one statement that reads the settings too.
 *
 * @returns what was put there
 */
export const queueEmailRows = (tx: Queryable, rows: readonly EmailRow[]): Promise<{ customerId: string; subject: string }[]> =>
  tx.query(SQL, [
    JSON.stringify(
      rows.map(({ customerId, kind, subject, detail, dueAt }) => ({
        customer_id: customerId,
        kind,
        subject,
        detail,
        due_at: dueAt === null ? null : stamp(dueAt),
      })),
    ),
  ]);
