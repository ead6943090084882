import { isGrpcServiceError } from '@temporalio/client';

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;
/** Short, so that the server gets everything soon after it comes back. */
const LONGEST_WHILE_AWAY = 15_000;
const LONGEST_TEXT = 300;
/** gRPC: CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE */
const AWAY = new Set([1, 4, 14]);

/**
 * How long a message waits before it is sent again.
 *
 * @param tries how many tries have failed
 * @param away the server didn't answer; false: it refused
 * @returns milliseconds
 * @example pauseAfter(1, false) // 1000
 * @example pauseAfter(20, true) // 15000
 */
export function pauseAfter(tries: number, away: boolean): number {
  return Math.min(FIRST_PAUSE * 2 ** (tries - 1), away ? LONGEST_WHILE_AWAY : LONGEST_PAUSE);
}

/** Whether the server didn't answer, rather than refuse. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && AWAY.has(cause.code);
}

/** What the server reported, and what was asked of it. */
export function failureText(error: unknown): string {
  const text = (one: unknown): string => (one instanceof Error ? `${one.name}: ${one.message}` : String(one));
  const whole = error instanceof Error && error.cause !== undefined ? `${text(error)}: ${text(error.cause)}` : text(error);
  return whole.slice(0, LONGEST_TEXT);
}
