import { heartbeat } from '@temporalio/activity';

const BEAT = 3_000;

/** Lets an activity give signs of life while it works or waits, so that the death of its worker is noticed before its own time has passed. */
export function beating<I, O>(call: (input: I) => Promise<O>): (input: I) => Promise<O> {
  return async (input) => {
    const beat = setInterval(heartbeat, BEAT);
    try {
      return await call(input);
    } finally {
      clearInterval(beat);
    }
  };
}
