import type { Queryable } from '../../connect.ts';
import type { IdempotencyRef, StoredResponse } from './request.ts';

/** The response to a request, stored with its effect. */
export interface Answer {
  ref: IdempotencyRef;
  response: StoredResponse;
}

/** Keys are taken in one order, so that two groups with the same keys don't wait for each other. */
const SQL = `
  insert into idempotency (vendor_id, operation, key, body_hash, leased_until, response_status, response_body, response_headers, secret, created)
  select vendor_id, operation, key, body_hash, clock_timestamp(), response_status, response_body, response_headers, false, clock_timestamp()
  from json_to_recordset($1::json) as x(vendor_id text, operation text, key text, body_hash text, response_status int, response_body text,
    response_headers jsonb)
  order by vendor_id, operation, key
  on conflict do nothing
  returning key`;

/**
 * Stores the responses of requests whose effects are made together and that have leased no key. SQL, because the insert
 * itself says which keys were used before.
 *
 * @param answers of one vendor and operation
 * @returns the keys that were not
 */
export async function insertResponses(tx: Queryable, answers: readonly Answer[]): Promise<Set<string>> {
  if (answers.length === 0) return new Set();
  const rows = answers.map((answer) => ({ vendor_id: answer.ref.vendorId, ...answerColumns(answer) }));
  return new Set((await tx.query<{ key: string }>(SQL, [JSON.stringify(rows)])).map(({ key }) => key));
}

/** The columns of a stored response, without its vendor. */
export const answerColumns = ({ ref, response }: Answer) => ({
  operation: ref.operation,
  key: ref.key,
  body_hash: ref.bodyHash,
  response_status: response.status,
  response_body: response.body,
  response_headers: response.headers,
});
