import type { Queryable } from '../../connect.ts';
import type { IdempotencyRef } from './request.ts';

interface IdempotencyRow {
  bodyHash: string;
  leasedUntil: number;
  status: number | null;
  body: string | null;
  headers: Record<string, string> | null;
  secret: boolean;
}

/** What is stored under a key. SQL, because every write runs it, between other statements that are SQL. */
export async function readKey(db: Queryable, ref: Pick<IdempotencyRef, 'vendorId' | 'operation' | 'key'>): Promise<IdempotencyRow | null> {
  const [row] = await db.query<IdempotencyRow>(
    `select body_hash as "bodyHash", leased_until as "leasedUntil", response_status as status, response_body as body,
            response_headers as headers, secret
     from idempotency where vendor_id = $1 and operation = $2 and key = $3`,
    [ref.vendorId, ref.operation, ref.key],
  );
  return row ?? null;
}
