import { Session } from 'node:inspector/promises';

/** How fast a piece of work runs on one core, and where its time goes. */
export interface Measured {
  name: string;
  perSecond: number;
  microseconds: number;
  /** share of the time spent in decimal arithmetic, 0–1 */
  decimalShare: number;
}

const WARM_UP_MS = 500;
const MEASURE_MS = 2_000;
const PROFILE_MS = 1_500;

/** Runs work for some seconds: first to warm up, then against the clock, then once more under the profiler. */
export async function measure(name: string, work: () => unknown): Promise<Measured> {
  repeat(work, WARM_UP_MS);
  const { runs, ms } = repeat(work, MEASURE_MS);
  return { name, perSecond: Math.round((runs / ms) * 1_000), microseconds: (ms / runs) * 1_000, decimalShare: await decimalShare(work) };
}

/** Time is this thread's own processor time, so that other work on the machine doesn't count. */
function repeat(work: () => unknown, duration: number): { runs: number; ms: number } {
  const start = process.threadCpuUsage();
  let runs = 0;
  let ms = 0;
  while (ms < duration) {
    for (let i = 0; i < 20; i++) work();
    runs += 20;
    const { user, system } = process.threadCpuUsage(start);
    ms = (user + system) / 1_000;
  }
  return { runs, ms };
}

/** Samples that were taken within decimal.js itself or in the two small modules in front of it. */
async function decimalShare(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  repeat(work, PROFILE_MS);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const hits = (own: boolean): number =>
    profile.nodes
      .filter(({ callFrame }) => !own || /decimal\.(m?js|ts)|money\/(round|allocate)\.ts/.test(callFrame.url))
      .reduce((total, node) => total + (node.hitCount ?? 0), 0);
  return hits(true) / hits(false);
}
