import { PerennialError } from './errors.ts';
import type { Problem } from './generated/schemas.ts';
import type { Request } from './request.ts';

/** What the API refused, in its own words. */
export function refusalOf(request: Request, { status, headers }: Response, bytes: Uint8Array): PerennialError {
  const { idempotencyKey } = request;
  const requestId = headers.get('request-id');
  const problem = problemIn(bytes);
  if (problem === null) {
    const message = `${shown(request)} answered ${status}, but not as the API does.`;
    return new PerennialError('unreadable_answer', message, { status, requestId, idempotencyKey });
  }
  const fields = Object.fromEntries(Object.entries(problem.feedback ?? {}).map(([name, { value }]) => [name, value]));
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const message = [`${shown(request)} answered ${status} ${problem.code}: ${problem.detail}`, ...named].join('\n  ');
  return new PerennialError(problem.code, message, { status, fields, requestId: problem.request_id ?? requestId, idempotencyKey });
}

/** No answer, or half of one: whether a write was carried out is known when it is repeated under its key. */
export function failureOf(request: Request, cause: unknown, timedOutAfterMs: number | null): PerennialError {
  const { idempotencyKey } = request;
  if (timedOutAfterMs === null)
    return new PerennialError('connection_failed', `${shown(request)}: the connection failed.`, { idempotencyKey, cause });
  return new PerennialError('timed_out', `${shown(request)} was not answered within ${timedOutAfterMs} ms.`, { idempotencyKey, cause });
}

/** Without the query, which may contain an e-mail address, and without the key. */
const shown = ({ method, target }: Request): string => `${method} ${target.split('?')[0]}`;

function problemIn(bytes: Uint8Array): Problem | null {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? (body as Problem) : null;
  } catch {
    return null;
  }
}
