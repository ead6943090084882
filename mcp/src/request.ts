import type { Call } from './catalogue.ts';
import type { Json } from './openapi.ts';

/** A request that can be sent, or shown to somebody who sends it. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly body: unknown;
}

/** What a caller gave, in its places. The input was checked against the operation's schema before. */
export function requestOf({ method, path, parameters }: Call, given: Json, body: unknown): ApiRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(given[name]));
  const query = parameters.filter((one) => one.in === 'query').flatMap(({ name }) => queryParts(name, given[name]));
  return { method, path: query.length === 0 ? filled : `${filled}?${query.join('&')}`, body };
}

function queryParts(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [`${name}=${encode(value)}`];
  return Object.entries(value).map(([key, inner]) => `${name}[${encode(key)}]=${encode(inner)}`);
}

/** Also without the quote that a shell would take for its own. */
const encode = (value: unknown): string => encodeURIComponent(String(value)).replaceAll("'", '%27');

/**
 * The request as a line for a shell in which `PERENNIAL_URL` and `PERENNIAL_API_KEY` are set. The idempotency key makes
 * it harmless to run the line twice.
 */
export function curlLine({ method, path, body }: ApiRequest, idempotencyKey: string | null): string {
  const parts = [`curl -X ${method} "$PERENNIAL_URL"'${path}'`, `-H "wb-key: $PERENNIAL_API_KEY"`];
  if (idempotencyKey !== null) parts.push(`-H 'idempotency-key: ${idempotencyKey}'`);
  if (body !== undefined) parts.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
