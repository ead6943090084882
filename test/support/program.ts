import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  pid: number;
  /** What it has said so far. */
  said(): { stdout: string; stderr: string };
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

interface Surroundings {
  env?: Readonly<Record<string, string>>;
  /** options of Node itself */
  node?: readonly string[];
  cwd?: string;
  /** as another user, where the tests run as root */
  uid?: number;
}

/** Starts `bin/perennial.mjs` as a shell does, with nothing in its environment but what is given. */
export function startProgram(args: readonly string[], { env = {}, node = [], cwd = ROOT, uid }: Surroundings = {}): Started {
  const child = spawn(process.execPath, [...node, join(cwd, 'bin/perennial.mjs'), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return {
    pid: child.pid ?? 0,
    said: () => ({ ...said }),
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said }))),
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs it to its end. */
export const runProgram = (args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> =>
  startProgram(args, surroundings).ended;
