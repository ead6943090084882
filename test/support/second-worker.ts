import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment, DEFAULT_NAMESPACE, DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import type { Servers } from './servers.ts';

/** Another worker process beside that of a stack. Stop it in `afterAll`. */
export function secondWorker(
  { databaseUrl, temporalAddress }: Pick<Servers, 'databaseUrl' | 'temporalAddress'>,
  variables: Readonly<Record<string, string>> = {},
): { pid: number; stop(): Promise<void> } {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../worker/main.ts')], {
    env: childEnvironment({
      PERENNIAL_MODE: 'embedded',
      PERENNIAL_SECRET: 'of-the-second-worker-of-the-tests-alone',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: DEFAULT_NAMESPACE,
      TEMPORAL_TASK_QUEUE: DEFAULT_TASK_QUEUE,
      ...variables,
    }),
    stdio: 'ignore',
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
