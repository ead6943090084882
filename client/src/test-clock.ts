import { setTimeout as pause } from 'node:timers/promises';
import type { WriteOptions } from './calls.ts';
import { PerennialError } from './errors.ts';
import type { Operations } from './generated/operations.ts';
import type { TestClock } from './generated/schemas.ts';

export interface AdvanceOptions extends WriteOptions {
  /** The longest time until the clock is ready, in milliseconds: ten minutes unless given. */
  readyWithinMs?: number | undefined;
}

const READY_WITHIN_MS = 600_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Advances a test clock and waits until everything that was due on the way has happened. Throws `test_clock_failed`
 * with the clock's own reason where that can't be, or where it isn't ready in time.
 */
export async function advanceTo(api: Operations, clockId: string, now: string | Date, options: AdvanceOptions = {}): Promise<TestClock> {
  const { readyWithinMs = READY_WITHIN_MS, idempotencyKey, ...reading } = options;
  const begin = Date.now();
  const to = typeof now === 'string' ? now : now.toISOString();
  let clock = await api.advanceTestClock(clockId, { now: to }, { ...reading, idempotencyKey });
  for (let pauseMs = FIRST_PAUSE_MS; clock.status === 'advancing'; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() - begin > readyWithinMs) throw stopped(clock, `is not ready after ${readyWithinMs} ms`);
    await pause(pauseMs, undefined, { signal: options.signal }).catch(() => options.signal?.throwIfAborted());
    clock = await api.getTestClock(clockId, reading);
  }
  if (clock.status === 'failed') throw stopped(clock, `stopped at ${clock.now}: ${clock.reason}`);
  if (Date.parse(clock.now) < Date.parse(to)) throw stopped(clock, `was stopped at ${clock.now} by another call`);
  return clock;
}

const stopped = ({ id }: TestClock, what: string): PerennialError => new PerennialError('test_clock_failed', `${id} ${what}`);
