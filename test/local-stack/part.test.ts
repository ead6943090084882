import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { startChild } from '../../local-stack/child.ts';
import { newPart } from '../../local-stack/part.ts';
import { eventually } from '../support/eventually.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-part-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const child = (script: string) =>
  startChild({
    name: 'worker',
    command: '/bin/sh',
    args: ['-c', script],
    env: childEnvironment({}),
    logFile: join(folder, 'worker.log'),
    stopSignal: 'SIGTERM',
  });

function part(script: string, log: string[], launches: number[], plan: Partial<Parameters<typeof newPart>[0]> = {}) {
  return newPart({
    name: 'worker',
    stopGraceMs: 2_000,
    restarts: true,
    log: (line) => log.push(line),
    launch: async () => {
      launches.push(Date.now());
      return child(script);
    },
    ...plan,
  });
}

describe('a part that ends by itself', () => {
  it('is reported with the end of its log and started again, after 0.5 s, then after 1 s', async () => {
    const log: string[] = [];
    const launches: number[] = [];
    const crashing = part('echo out of paper; exit 3', log, launches);
    await crashing.start();
    await eventually(() => expect(launches.length).toBeGreaterThanOrEqual(3));
    await crashing.stop();
    expect(log.join('\n')).toMatch(
      /worker stopped by itself \(exit code 3\)[\s\S]*out of paper[\s\S]*in 0\.5 s[\s\S]*2 times in a row[\s\S]*in 1 s/,
    );
    expect((launches[1] ?? 0) - (launches[0] ?? 0)).toBeGreaterThanOrEqual(490);
    expect((launches[2] ?? 0) - (launches[1] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is reported without the routine lines of its log', async () => {
    const log: string[] = [];
    const crashing = part(`echo '{"level":30,"msg":"request"}'; exit 3`, log, []);
    await crashing.start();
    await eventually(() => expect(log).toContain('worker stopped by itself (exit code 3). It said nothing unusual.'));
    await crashing.stop();
  });

  it('stays down when it was asked to stop', async () => {
    const log: string[] = [];
    const launches: number[] = [];
    const waiting = part('exec sleep 60', log, launches);
    await waiting.start();
    expect(waiting.isRunning()).toBe(true);
    await waiting.stop();
    expect(waiting.isRunning()).toBe(false);
    expect([log, launches.length]).toEqual([[], 1]);
  });

  it('is ended and started again once it is stuck, also where crashes are left to tests', async () => {
    const log: string[] = [];
    const launches: number[] = [];
    const looks: boolean[] = [false, true];
    const waiting = part('exec sleep 60', log, launches, { restarts: false, lookMs: 10, isStuck: async () => looks.shift() ?? false });
    await waiting.start();
    await eventually(() => expect(log.at(-1)).toBe('worker runs again'));
    expect(log[0]).toBe('worker is stuck and is ended');
    expect([launches.length, waiting.isRunning(), looks]).toEqual([2, true, []]);
    await waiting.stop();
    expect(waiting.isRunning()).toBe(false);
  });

  it('leaves nothing running when it is stopped while it is being started again, and runs once when it is started then', async () => {
    const log: string[] = [];
    const children: ReturnType<typeof startChild>[] = [];
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const crashing = part('exec sleep 60', log, [], {
      launch: async () => {
        const launched = child('exec sleep 60');
        children.push(launched);
        if (children.length === 2) await held;
        return launched;
      },
    });
    await crashing.start();
    await children[0]?.kill();
    await eventually(() => expect(children).toHaveLength(2));
    const stopped = crashing.stop();
    goOn();
    await stopped;
    expect(children.map((one) => one.ended() === null)).toEqual([false, false]);

    await crashing.start();
    await children[2]?.kill();
    await eventually(() => expect(log.at(-1)).toMatch(/^worker is started again in/));
    const restarts = Date.now() + 1_000;
    await crashing.kill();
    await crashing.start();
    // the restart that waited has had its time
    await eventually(() => expect(Date.now()).toBeGreaterThan(restarts + 200));
    expect(children.map((one) => one.ended() === null)).toEqual([false, false, false, true]);
    await crashing.stop();
  });

  it('leaves nothing running when it is stopped before its start has launched it', async () => {
    const launches: number[] = [];
    const waiting = part('exec sleep 60', [], launches);
    await Promise.all([waiting.start(), waiting.stop()]);
    expect([launches.length, waiting.isRunning()]).toEqual([0, false]);
  });

  it('that ignores the signal is ended after its grace', async () => {
    const stubborn = part('trap "" TERM; while true; do sleep 0.1; done', [], []);
    await stubborn.start();
    await stubborn.stop();
    expect(stubborn.isRunning()).toBe(false);
  });
});
