/** What of an answer decides whether the request is sent again. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A longer wait than this is the caller's decision. */
const LONGEST_WAIT_MS = 60_000;

/** Answers after which the same request may succeed. Of these a 409 says so by `Retry-After` alone. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the request is sent again, in milliseconds; null where it is not. Every request that comes
 * here is a read or has an idempotency key, so a repeat is harmless; the question is only whether it may help.
 *
 * @param tries how often it was sent so far, from 1
 * @param answered null where no answer came
 * @param random between 0 and 1: spreads the repeats of many callers
 */
export function pauseBefore(tries: number, answered: Answered | null, random = Math.random(), now = Date.now()): number | null {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS) * (0.5 + random / 2);
  if (answered === null) return pause;
  const named = waitNamedBy(answered.retryAfter, now);
  const mayPass = PASSING.has(answered.status) || (answered.status === 409 && named !== null);
  if (!mayPass || (named ?? 0) > LONGEST_WAIT_MS) return null;
  return named === null ? pause : Math.max(named, named === 0 ? 0 : pause);
}

/** `Retry-After` is a number of seconds or an instant (RFC 9110). */
function waitNamedBy(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
