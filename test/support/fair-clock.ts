import { eventually } from './eventually.ts';

/** Milliseconds from an answer to the next question. */
const ASKED_EVERY = 10;
/** Milliseconds that count at most from one answer to the next: an idle machine needs fewer. */
const MOST_COUNTED = 50;

/** This process answers by getting to it. */
const itself = async (): Promise<void> => undefined;

/**
 * Does work beside a clock of milliseconds that stands while the machine is too busy to go on: something short is asked
 * again and again, and of the time from one answer to the next no more counts than an idle machine needs. So a limit by
 * this clock doesn't depend on what else runs; where nothing does, the clock goes as any other.
 *
 * @param ask what the process whose time is measured answers at once
 */
export async function byFairClock<T>(ask: () => Promise<unknown>, work: (now: () => number) => Promise<T>): Promise<T> {
  let [counted, before, isOver] = [0, performance.now(), false];
  const now = (): number => counted + Math.min(performance.now() - before, MOST_COUNTED);
  const asking = eventually(
    async () => {
      await ask().catch(() => undefined);
      counted = now();
      before = performance.now();
      if (!isOver) throw new Error('the work goes on');
    },
    { every: ASKED_EVERY, timeout: Number.POSITIVE_INFINITY },
  );
  try {
    return await work(now);
  } finally {
    isOver = true;
    await asking;
  }
}

/** How long work takes by that clock. */
export const fairTimeOf = (work: () => Promise<unknown>, ask: () => Promise<unknown> = itself): Promise<number> =>
  byFairClock(ask, async (now) => {
    const began = now();
    await work();
    return now() - began;
  });
