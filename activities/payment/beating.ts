import { heartbeat } from '@temporalio/activity';

const BEAT = 3_000;

/** Lets a call of a provider give signs of life while it waits, so that the death of its worker is noticed before the call's own time is over. */
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
