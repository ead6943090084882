import type { Logger } from 'pino';
import { rest } from './rest.ts';

/** Something a worker does again and again, apart from its workflows. */
export interface Loop {
  /** ends the pause under way */
  wake(): void;
  stop(): Promise<void>;
}

interface LoopPlan {
  name: string;
  /** asked after each pass */
  everyMs: number | (() => number);
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
  let isStopped = false;
  let resting = new AbortController();
  const every = (): number => (typeof everyMs === 'number' ? everyMs : everyMs());
  const run = async (): Promise<void> => {
    for (let failures = 0; !isStopped; ) {
      let again = false;
      try {
        again = await pass();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!isStopped) log.warn({ err: error, loop: name, failures }, 'a pass failed and is made again');
      }
      if (again) continue;
      const pauseMs = failures === 0 ? every() : Math.min(every() * 2 ** failures, LONGEST_PAUSE);
      await rest(pauseMs, resting.signal);
      resting = new AbortController();
    }
  };
  const done = run();
  return {
    wake: () => resting.abort(),
    stop: async () => {
      isStopped = true;
      resting.abort();
      await done;
    },
  };
}
