import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { eventually } from '../../test/support/eventually.ts';

export type Child = { pid: number; stop(): Promise<void> };

/** A program of this folder in a process of its own; resolves when its port takes connections. */
export async function startServer(file: string, args: readonly string[], port: number, variables: Record<string, string>): Promise<Child> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: childEnvironment(variables),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await eventually(() => tryPort(port), { timeout: 20_000 });
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function tryPort(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve());
  socket.once('error', reject);
  return promise.finally(() => socket.destroy());
}
