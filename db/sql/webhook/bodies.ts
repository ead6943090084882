import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

export interface NewBody {
  seq: string;
  vendorId: string;
  customerId: string | null;
  objectId: string;
  body: string;
}

/** Which of these events have no body yet. SQL, because of hundreds at once. */
export async function withoutBody(db: Queryable, vendorId: string, seqs: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ seq: string }>(
    `select x.seq::text as seq from unnest($1::bigint[]) as x(seq) where not exists (
       select 1 from event_body b where b.vendor_id = $2 and b.event_seq = x.seq)`,
    [seqs, vendorId],
  );
  return new Set(rows.map(({ seq }) => seq));
}

/** Stores bodies; what was stored before stays, so that each try sends the same. SQL, because of hundreds at once. */
export async function storeBodies(tx: Queryable, bodies: readonly NewBody[], made: Instant): Promise<void> {
  if (bodies.length === 0) return;
  await tx.query(
    `insert into event_body (event_seq, vendor_id, customer_id, object_id, made, body)
     select x.seq, x.vendor_id, x.customer_id, x.object_id, $6, x.body
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as x(seq, vendor_id, customer_id, object_id, body)
     order by x.seq on conflict do nothing`,
    [
      bodies.map(({ seq }) => seq),
      bodies.map(({ vendorId }) => vendorId),
      bodies.map(({ customerId }) => customerId),
      bodies.map(({ objectId }) => objectId),
      bodies.map(({ body }) => body),
      stamp(made),
    ],
  );
}

/** Stored bodies by the events' numbers. SQL, because of hundreds at once. */
export async function bodiesOf(db: Queryable, vendorId: string, seqs: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ seq: string; body: string }>(
    'select event_seq::text as seq, body from event_body where vendor_id = $2 and event_seq = any($1::bigint[])',
    [seqs, vendorId],
  );
  return new Map(rows.map(({ seq, body }) => [seq, body]));
}
