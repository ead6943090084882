const TRIES = 3;

/**
 * The most milliseconds for which some work occupies this thread in one go, by the thread's own processor time. The
 * least of three tries: garbage collected meanwhile, and caches that other processes have emptied, count in it.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const holds: number[] = [];
  for (let n = 0; n < TRIES; n += 1) holds.push(await longestHoldOf(work));
  return Math.min(...holds);
}

async function longestHoldOf(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  let before = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest / 1_000;
}
