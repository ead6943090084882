/**
 * The most milliseconds for which some work occupies this thread in one go, by the thread's own processor time: what
 * else the machine does counts for nothing.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  let before = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest / 1_000;
}
