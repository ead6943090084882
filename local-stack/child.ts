import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { signalProcess } from './process-identity.ts';
import { waitUntil } from './wait.ts';

export type ChildPlan = {
  name: string;
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  logFile: string;
  stopSignal: NodeJS.Signals;
  uid?: number;
  gid?: number;
};

export type Child = {
  name: string;
  pid: number;
  stopSignal: NodeJS.Signals;
  /** How it ended, for people; null while it runs. */
  ended(): string | null;
  /** Resolves when it ends, with how. */
  whenEnded: Promise<string>;
  stop(graceMs: number): Promise<void>;
  /** Ends it at once, for tests of crashes. */
  kill(): Promise<void>;
  logEnd(): Promise<string>;
};

/**
 * Starts a program in a process group of its own, so that Ctrl-C reaches only us and we stop the parts in order.
 * Its output goes to a file: a broken pipe would kill it together with us, in the middle of its work.
 */
export function startChild(plan: ChildPlan): Child {
  const output = openSync(plan.logFile, 'a', 0o600);
  // only the owner may read what a program writes
  const umask = process.umask(0o077);
  const running = spawn(plan.command, plan.args, {
    env: plan.env,
    detached: true,
    stdio: ['ignore', output, output],
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid ?? plan.uid }),
  });
  process.umask(umask);
  closeSync(output);
  let ended: string | null = null;
  const whenEnded = new Promise<string>((resolve) => {
    const finish = (how: string): void => {
      ended ??= how;
      resolve(ended);
    };
    running.once('error', (error) => finish(error.message));
    running.once('exit', (code, signal) => finish(signal ? `ended by ${signal}` : `exit code ${code}`));
  });
  const pid = running.pid ?? 0;
  const guardian = pid === 0 ? null : guard(pid, plan.stopSignal);
  void whenEnded.then(() => guardian?.kill('SIGKILL'));
  const end = async (signal: NodeJS.Signals, graceMs: number): Promise<void> => {
    if (pid === 0 || ended !== null) return;
    signalProcess(pid, signal);
    await waitUntil(async () => ended, { timeoutMs: graceMs, everyMs: 20, what: `the end of ${plan.name}` });
  };
  return {
    name: plan.name,
    pid,
    stopSignal: plan.stopSignal,
    ended: () => ended,
    whenEnded,
    stop: (graceMs) => end(plan.stopSignal, graceMs).catch(() => end('SIGKILL', 5_000)),
    kill: () => end('SIGKILL', 5_000),
    logEnd: () => lastLines(plan.logFile, 15),
  };
}

/**
 * The child once it answers. One that doesn't is ended, so that the next one finds its port and its data free.
 *
 * @throws what the answer failed with
 */
export async function onceAnswering(child: Child, answer: Promise<unknown>): Promise<Child> {
  try {
    await answer;
  } catch (error) {
    await child.kill();
    throw error;
  }
  return child;
}

/**
 * A shell of a few hundred kilobytes that waits for the end of our pipe, which comes even when we are killed with -9,
 * and then asks the child to stop. Without it a killed `npm start` would leave four programs behind.
 */
function guard(pid: number, signal: NodeJS.Signals): ChildProcess {
  const name = signal.replace(/^SIG/, '');
  const guardian = spawn('/bin/sh', ['-c', 'read -r _; kill -s "$1" "$2" 2>/dev/null', 'guardian', name, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.unref();
  return guardian;
}

/** A log line of level info or below, which explains no crash. */
const ROUTINE = /^\{"level":[123]0,/;

/**
 * The end of a log without routine lines; empty where there is no log, so that the error it explains is still shown.
 */
async function lastLines(path: string, count: number): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.trimEnd().split('\n');
  return lines
    .slice(-count)
    .filter((line) => line !== '' && !ROUTINE.test(line))
    .map((line) => `    ${line.slice(0, 400)}`)
    .join('\n');
}
