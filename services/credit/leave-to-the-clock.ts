import { Refusal } from '../../billing/refusal.ts';

/** A clock that has begun to advance carries out itself what is due on it. */
export function leaveToTheClock(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== 'clock_advancing') throw error;
}
