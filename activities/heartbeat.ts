import { heartbeat } from '@temporalio/activity';

const INTERVAL_MS = 3_000;

/**
 * Sends heartbeats while an activity works or waits, so that the death of its worker is noticed before the activity's
 * time limit.
 */
export function withHeartbeat<I, O>(call: (input: I) => Promise<O>): (input: I) => Promise<O> {
  return async (input) => {
    const timer = setInterval(heartbeat, INTERVAL_MS);
    try {
      return await call(input);
    } finally {
      clearInterval(timer);
    }
  };
}
