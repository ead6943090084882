import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Something a worker does again and again, apart from its workflows. */
export interface Loop {
  stop(): Promise<void>;
}

interface LoopPlan {
  name: string;
  everyMs: number;
  log: Logger;
  /** true: there may be more, come back at once */
  pass(): Promise<boolean>;
}

const LONGEST_PAUSE = 15_000;

/**
 * Makes passes until it is stopped. A pass that fails is logged and tried again after a growing pause; `stop` waits for
 * the pass under way.
 */
export function startLoop({ name, everyMs, log, pass }: LoopPlan): Loop {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let again = false;
      try {
        again = await pass();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!stopping.signal.aborted) log.warn({ err: error, loop: name, failures }, 'a pass failed and is made again');
      }
      if (!again) await rest(failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, LONGEST_PAUSE), stopping.signal);
    }
  };
  const done = run();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
