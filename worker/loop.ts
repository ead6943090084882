import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Something a worker does again and again beside its workflows. */
export interface Loop {
  stop(): Promise<void>;
}

interface LoopPlan {
  name: string;
  everyMs: number;
  log: Logger;
  /** true: there may be more, come back at once */
  turn(): Promise<boolean>;
}

const LONGEST_PAUSE = 15_000;

/** Takes turns until it is stopped. A turn that fails is logged and tried again after a growing pause; the turn under way is waited for at the end. */
export function startLoop({ name, everyMs, log, turn }: LoopPlan): Loop {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      let again = false;
      try {
        again = await turn();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!stopping.signal.aborted) log.warn({ err: error, loop: name, failures }, 'a turn failed and is taken again');
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
