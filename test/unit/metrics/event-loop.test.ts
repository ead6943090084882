import { Registry } from 'prom-client';
import { type Standstill, standstillBetween, watchEventLoop } from '../../../metrics/event-loop.ts';
import { samplesOf, seriesValue } from '../../support/metrics.ts';

let registry: Registry;
let stop: () => void;
let next: Promise<Standstill>;
beforeEach(() => {
  registry = new Registry();
  const found = Promise.withResolvers<Standstill>();
  next = found.promise;
  stop = watchEventLoop(registry, found.resolve);
});
afterEach(() => stop());

const busyMs = (): number => process.threadCpuUsage().user / 1_000;

/** Computes for 10 ms of the clock. */
function compute(): void {
  const until = performance.now() + 10;
  while (performance.now() < until);
}

describe('the watch of the event loop', () => {
  it('tells of 1.3 s in which code ran, with its processor time, and counts it', async () => {
    const until = busyMs() + 1_300;
    while (busyMs() < until) compute();
    const { ms, busy_ms } = await next;
    expect(ms).toBeGreaterThanOrEqual(1_050);
    expect(busy_ms).toBeGreaterThanOrEqual(1_300);
    const counted = seriesValue(samplesOf(await registry.metrics()), 'perennial_event_loop_standstill_seconds_total');
    expect(counted).toBeCloseTo(ms / 1_000, 6);
  });

  it('tells apart 1.3 s in which the thread did not run', async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
    const { ms, busy_ms } = await next;
    expect(ms).toBeGreaterThanOrEqual(1_050);
    expect(busy_ms).toBeLessThan(ms / 2);
  });

  it.each([
    [0, null],
    [250, null],
    [1_249, null],
    [1_250, { ms: 1_000, busy_ms: 40 }],
    [24_950, { ms: 24_700, busy_ms: 40 }],
  ])('a look %i ms after the last one is a standstill: %j', (after, standstill) => {
    expect(standstillBetween({ at: 5_000, busy: 60 }, { at: 5_000 + after, busy: 100 })).toEqual(standstill);
  });
});
