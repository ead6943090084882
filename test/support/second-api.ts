import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { eventually } from './eventually.ts';
import { type Servers, servers } from './servers.ts';

export type SecondApi = { baseUrl: string; stop(): Promise<void>; kill(): Promise<void> };

/**
 * Another API process on the database of this run or of a stack of the test's own, as behind a load balancer, or with
 * another address of Postgres. Stop it in `afterAll`. With PORT it comes back where another one was.
 */
export async function secondApi(
  to: Partial<Pick<Servers, 'databaseUrl' | 'temporalAddress'>> = {},
  variables: Readonly<Record<string, string>> = {},
): Promise<SecondApi> {
  // a stack of the test's own gives both, and then there is no other
  const { databaseUrl = (await servers()).databaseUrl, temporalAddress = (await servers()).temporalAddress } = to;
  const port = Number(variables.PORT ?? (await anyFreePort()));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../api/main.ts')], {
    env: childEnvironment({
      PERENNIAL_MODE: 'embedded',
      PERENNIAL_SECRET: 'of-the-second-api-of-the-tests-alone',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      HOST: '127.0.0.1',
      PORT: String(port),
      ...variables,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const baseUrl = `http://127.0.0.1:${port}`;
  await Promise.race([
    eventually(() => fetch(`${baseUrl}/healthz`), { timeout: 90_000 }),
    ended.then(() => {
      throw new Error(`the second API ended as it started: ${errors}`);
    }),
  ]);
  return {
    baseUrl,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
