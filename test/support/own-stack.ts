import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartName } from '../../local-stack/part.ts';
import { signalProcess } from '../../local-stack/process-identity.ts';
import type { Servers } from './servers.ts';
import { startTestStack } from './start-stack.ts';
import { newVendor, type TestVendor } from './vendor.ts';

export type OwnStack = {
  servers: Servers;
  newVendor(name?: string): Promise<TestVendor>;
  /** Kills the process at once, without a signal that it could handle. */
  kill9(part: PartName): Promise<void>;
  /** Starts a killed or stopped part again on the same data; resolves when it answers. */
  restart(part: PartName): Promise<void>;
  /** Stops the process without ending it (SIGSTOP); returns a function that lets it go on. */
  halt(part: PartName): Promise<() => void>;
  isRunning(part: PartName): boolean;
  stop(): Promise<void>;
};

/** Servers of the test's own, for stories in which they die. Stop them in `afterAll`. */
export async function ownStack(): Promise<OwnStack> {
  const home = await mkdtemp(join(tmpdir(), 'perennial-own-'));
  const { servers, stack, stop } = await startTestStack(home, () => {});
  const part = (name: PartName) => {
    const found = stack.parts[name];
    if (!found) throw new Error(`there is no ${name} in this stack`);
    return found;
  };
  return {
    servers,
    newVendor: (name) => newVendor(name, servers),
    kill9: (name) => part(name).kill(),
    restart: (name) => part(name).start(),
    halt: async (name) => {
      const halted = new Set<number>();
      for (let found = await processesOf(home, name); found.length > 0; ) {
        for (const pid of found) {
          signalProcess(pid, 'SIGSTOP');
          halted.add(pid);
        }
        // the first one may have made another before it was stopped
        found = (await processesOf(home, name)).filter((pid) => !halted.has(pid));
      }
      return () => {
        // one that was ending when it was stopped is gone as soon as the process that made it goes on
        for (const pid of halted) signalProcess(pid, 'SIGCONT');
      };
    },
    isRunning: (name) => part(name).isRunning(),
    stop: async () => {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A part and all processes it has made; it makes no more while it is stopped. */
async function processesOf(home: string, name: PartName): Promise<number[]> {
  const { children } = JSON.parse(await readFile(join(home, 'run.json'), 'utf8')) as { children: Record<string, { pid: number }> };
  const rows = existsSync('/proc/self/stat') ? await rowsOfProc() : rowsOfPs();
  const found = [children[name]?.pid ?? 0];
  for (const parent of found) for (const [child = 0, ppid] of rows) if (ppid === parent) found.push(child);
  return found;
}

/** Every process with its parent. A bare Linux has no `ps`. */
async function rowsOfProc(): Promise<number[][]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)));
  return stats.flatMap((stat, at) =>
    stat === null ? [] : [[Number(pids[at]), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]],
  );
}

const rowsOfPs = (): number[][] =>
  execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
