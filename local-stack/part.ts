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
};

/** One of the four programs, kept running until it is told to stop. */
export type Part = {
  name: PartName;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  isRunning(): boolean;
};

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** Having run this long, a part has recovered: the next crash is a new story. */
const RECOVERED_AFTER = 60_000;

async function obituary(fallen: Child): Promise<string> {
  const words = await fallen.lastWords();
  return words === '' ? 'It said nothing unusual.' : `Its last words:\n${words}`;
}

export function newPart(plan: PartPlan): Part {
  let child: Child | null = null;
  let wanted = false;
  let crashes = 0;

  const launch = async (): Promise<void> => {
    const launched = await plan.launch();
    child = launched;
    const began = Date.now();
    if (plan.restarts) void launched.whenEnded.then((how) => revive(launched, how, Date.now() - began));
  };

  /** A crash is always told, with the last lines of the log, and each one in a row waits longer than the one before. */
  const revive = async (fallen: Child, how: string, livedMs: number): Promise<void> => {
    if (!wanted || child !== fallen) return;
    crashes = livedMs > RECOVERED_AFTER ? 1 : crashes + 1;
    plan.log(`${plan.name} stopped by itself (${how})${crashes > 1 ? `, ${crashes} times in a row` : ''}. ${await obituary(fallen)}`);
    while (wanted) {
      const wait = Math.min(FIRST_PAUSE * 2 ** (crashes - 1), LONGEST_PAUSE);
      plan.log(`${plan.name} is started again in ${wait / 1000} s`);
      await pause(wait);
      if (!wanted) return;
      try {
        await launch();
        plan.log(`${plan.name} runs again`);
        return;
      } catch (error) {
        crashes += 1;
        plan.log(`${plan.name} could not be started again, try ${crashes}: ${error instanceof Error ? error.message : error}`);
      }
    }
  };

  return {
    name: plan.name,
    start: () => {
      wanted = true;
      return launch();
    },
    stop: async () => {
      wanted = false;
      await child?.stop(plan.stopGraceMs);
    },
    kill: async () => {
      wanted = false;
      await child?.kill();
    },
    isRunning: () => child !== null && child.ended() === null,
  };
}
