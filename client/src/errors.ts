import type { Problem } from './generated/schemas.ts';

/** A refusal by the API, or what this package itself found. */
export type ErrorCode =
  | Problem['code']
  /** No answer came, or none that could be read to its end. */
  | 'connection_failed'
  /** No answer came within `timeoutMs`. */
  | 'timed_out'
  /** What came was no answer of the API, for instance a page of a proxy. */
  | 'unreadable_answer'
  /** A test clock could not be advanced to its instant. */
  | 'test_clock_failed'
  /** A webhook was not signed with the endpoint's secret, or too long ago. */
  | 'webhook_not_verified';

export interface ErrorDetails {
  status?: number | null;
  fields?: Readonly<Record<string, string>>;
  requestId?: string | null;
  idempotencyKey?: string | null;
  cause?: unknown;
}

/** Everything that goes wrong is one of these; decide by `code`, which is stable and of a closed list. */
export class PerennialError extends Error {
  override readonly name = 'PerennialError';
  readonly code: ErrorCode;
  /** The HTTP status; null where no answer came. */
  readonly status: number | null;
  /** What was wrong, by field (`pricings[0].currency`) or subject. */
  readonly fields: Readonly<Record<string, string>>;
  /** The first of `fields`, null where the refusal names none. */
  readonly field: string | null;
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  /** Under this key the write can be repeated harmlessly, also by another process; null for a read. */
  readonly idempotencyKey: string | null;

  constructor(code: ErrorCode, message: string, { status, fields, requestId, idempotencyKey, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status ?? null;
    this.fields = fields ?? {};
    this.field = Object.keys(this.fields)[0] ?? null;
    this.requestId = requestId ?? null;
    this.idempotencyKey = idempotencyKey ?? null;
  }
}
