import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child.ts';
import type { Log } from './log.ts';

export type PartName = 'postgres' | 'temporal' | 'worker' | 'api';

type PartPlan = {
  name: PartName;
  /** Resolves when the part answers. */
  launch(): Promise<Child>;
  stopGraceMs: number;
  log: Log;
  /** Tests of crashes start things again themselves. */
  restarts: boolean;
  /** Whether it runs and will never answer again: then it is ended and started again, in tests too. */
  isStuck?: (() => Promise<boolean>) | undefined;
  /** between two looks at that */
  lookMs?: number;
};

/** One of the four programs, kept running until it is asked to stop. */
export type StackPart = {
  name: PartName;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  isRunning(): boolean;
};

const LOOK_MS = 5_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** Having run this long, a part has recovered: the next crash is counted as its first. */
const RECOVERED_AFTER = 60_000;

async function logEndOf(ended: Child): Promise<string> {
  const lines = await ended.logEnd();
  return lines === '' ? 'It said nothing unusual.' : `The end of its log:\n${lines}`;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function newPart(plan: PartPlan): StackPart {
  let child: Child | null = null;
  /** counts starts and stops: what one of them has begun, the next one ends */
  let turn = 0;
  let launching: Promise<void> = Promise.resolve();
  let crashes = 0;
  let stuck: Child | null = null;

  const launch = (own: number): Promise<void> => {
    launching = (async () => {
      const launched = await plan.launch();
      if (own !== turn) {
        await launched.stop(plan.stopGraceMs);
        return;
      }
      child = launched;
      const began = Date.now();
      void launched.whenEnded.then(async (how) => {
        if (plan.restarts || launched === stuck) await restart(launched, own, how, Date.now() - began);
      });
      if (plan.isStuck !== undefined) void watch(launched, own, plan.isStuck);
    })();
    return launching;
  };

  const watch = async (watched: Child, own: number, isStuck: () => Promise<boolean>): Promise<void> => {
    const goesOn = (): boolean => own === turn && watched.ended() === null;
    do await pause(plan.lookMs ?? LOOK_MS, undefined, { ref: false });
    while (goesOn() && !(await isStuck().catch(() => false)));
    if (!goesOn()) return;
    stuck = watched;
    plan.log(`${plan.name} is stuck and is ended`);
    await watched.kill().catch((error: unknown) => plan.log(`${plan.name} does not end: ${wordsOf(error)}`));
  };

  /**
   * Reports a crash with the last lines of the log, then starts the part again; the pause grows with each crash in a
   * row.
   */
  const restart = async (ended: Child, own: number, how: string, ranMs: number): Promise<void> => {
    if (own !== turn) return;
    crashes = ranMs > RECOVERED_AFTER ? 1 : crashes + 1;
    plan.log(`${plan.name} stopped by itself (${how})${crashes > 1 ? `, ${crashes} times in a row` : ''}. ${await logEndOf(ended)}`);
    while (own === turn) {
      const wait = Math.min(FIRST_PAUSE * 2 ** (crashes - 1), LONGEST_PAUSE);
      plan.log(`${plan.name} is started again in ${wait / 1000} s`);
      await pause(wait);
      if (own !== turn) return;
      try {
        await launch(own);
        if (own === turn) plan.log(`${plan.name} runs again`);
        return;
      } catch (error) {
        crashes += 1;
        plan.log(`${plan.name} could not be started again, try ${crashes}: ${wordsOf(error)}`);
      }
    }
  };

  /** Ends what runs, and what is just being started. */
  const end = async (how: (running: Child) => Promise<void>): Promise<void> => {
    turn += 1;
    await launching.catch(() => undefined);
    if (child !== null) await how(child);
  };

  return {
    name: plan.name,
    start: async () => {
      turn += 1;
      const own = turn;
      await launching.catch(() => undefined);
      if (own === turn) await launch(own);
    },
    stop: () => end((running) => running.stop(plan.stopGraceMs)),
    kill: () => end((running) => running.kill()),
    isRunning: () => child !== null && child.ended() === null,
  };
}
