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

interface FirstBody {
  seq: string;
  /** null: it isn't there, or together with those before it there is too much */
  body: string | null;
  isMissing: boolean;
}

/**
 * Stored bodies in the order of the numbers, as many of the first ones as have up to `most` bytes, and the very first
 * however long it is. SQL: a body whose length alone is asked for isn't read.
 */
export const firstBodies = (db: Queryable, vendorId: string, seqs: readonly string[], most: number): Promise<FirstBody[]> =>
  db.query<FirstBody>(
    `select x.seq::text as seq, b.event_seq is null as "isMissing",
       case when x.n = 1 or sum(octet_length(b.body)) over (order by x.n) <= $3 then b.body end as body
     from unnest($1::bigint[]) with ordinality as x(seq, n)
     left join event_body b on b.vendor_id = $2 and b.event_seq = x.seq order by x.n`,
    [seqs, vendorId, most],
  );

/** How many bytes stored bodies have together, and the longest one. SQL, as above. */
export async function bodyLengths(db: Queryable, vendorId: string, seqs: readonly string[]): Promise<{ total: number; longest: number }> {
  const [row] = await db.query<{ total: number; longest: number }>(
    `select coalesce(sum(octet_length(body)), 0)::float8 as total, coalesce(max(octet_length(body)), 0) as longest
     from event_body where vendor_id = $2 and event_seq = any($1::bigint[])`,
    [seqs, vendorId],
  );
  return row ?? { total: 0, longest: 0 };
}
