import type { Stage } from './stage.ts';

/** What an attack did, and what of that should not have happened. */
export interface Findings {
  readonly notes: string[];
  readonly broken: string[];
}

export interface Attack {
  readonly name: string;
  /** Seconds after the attack until the bystander is back to normal; what it measures in them is not counted. */
  readonly restSeconds: number;
  /** Makes what the attack needs beforehand; null if it can't be played on this copy. */
  prepare(stage: Stage): Promise<((until: number) => Promise<Findings>) | null>;
}

/** Does something again and again, so many at a time, until a moment. */
export async function again(until: number, atOnce: number, act: (n: number) => Promise<void>): Promise<number> {
  let begun = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (Date.now() < until) {
        begun += 1;
        await act(begun - 1);
      }
    }),
  );
  return begun;
}

/** Milliseconds that something takes. */
export async function timed<T>(act: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await act();
  return { value, ms: performance.now() - began };
}

/** The longest that `/healthz` takes until something has ended: how long one piece of work occupied the process. */
export async function slowestPulse<T>(base: string, during: Promise<T>): Promise<{ value: T; ms: number }> {
  const ended = during.then(
    () => true,
    () => true,
  );
  let [ms, hasEnded] = [0, false];
  while (!hasEnded) {
    ms = Math.max(ms, (await timed(() => fetch(`${base}/healthz`).then((response) => response.text()))).ms);
    hasEnded = await Promise.race([ended, pause(PULSE_MS).then(() => false)]);
  }
  return { value: await during, ms };
}

const PULSE_MS = 20;

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
