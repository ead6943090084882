import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { eventually } from '../../test/support/eventually.ts';

export type Child = { pid: number; stop(): Promise<void> };

/** On a busy machine a program takes long to load. */
const TIMEOUT_MS = 120_000;

/** A program of this folder in a process of its own; resolves when its port takes connections, else ends it. */
export async function startServer(file: string, args: readonly string[], port: number, variables: Record<string, string>): Promise<Child> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: childEnvironment(variables),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  await eventually(() => tryPort(port), { timeout: TIMEOUT_MS }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pid: child.pid ?? 0, stop };
}

function tryPort(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve());
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}
