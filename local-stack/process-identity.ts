import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/**
 * What distinguishes a running process from a later one with the same pid: the moment it was started.
 * Null: no such process (a zombie counts as none).
 */
export async function identityOf(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export async function isSame(pid: number, identity: string): Promise<boolean> {
  return (await identityOf(pid)) === identity;
}

/** Asks a process to stop, and kills it when it still runs after the grace. */
export async function endProcess(pid: number, identity: string, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  const gone = async (): Promise<true | null> => ((await isSame(pid, identity)) ? null : true);
  if (await gone()) return;
  signalProcess(pid, signal);
  try {
    await waitUntil(gone, { timeoutMs: graceMs, what: `the end of process ${pid}` });
  } catch {
    signalProcess(pid, 'SIGKILL');
    await waitUntil(gone, { timeoutMs: 5_000, what: `the end of process ${pid}` });
  }
}

/** A process that ended in between is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function fromProc(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in parentheses and may hold spaces; the fields after it may not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || startTicks === undefined ? null : startTicks;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function fromPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() === '' ? null : stdout.trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  }
}
