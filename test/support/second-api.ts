import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { eventually } from './eventually.ts';
import { type Servers, servers } from './servers.ts';

/** Characters of what it says that a failure shows. */
const MOST_KEPT = 4_000;
/** Its start takes seconds of processor time, and as much more as others are at work. */
const LONGEST_START_MS = 240_000;

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
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_KEPT);
    });
  let hasEnded = false;
  const ended = new Promise<void>((done) =>
    child.once('close', () => {
      hasEnded = true;
      done();
    }),
  );
  const failure = (what: string) => new Error(`the second API ${what}. It said last:\n${said}`);
  const baseUrl = `http://127.0.0.1:${port}`;
  const answers = async () => hasEnded || (await fetch(`${baseUrl}/healthz`));
  await eventually(answers, { timeout: LONGEST_START_MS }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw failure(`did not answer within ${LONGEST_START_MS / 1_000} s (${error})`);
  });
  if (hasEnded) throw failure('ended as it started');
  let isAsked = false;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    // the test itself has seen no more of it than refused connections
    if (hasEnded && !isAsked) throw failure(`had ended by itself (${child.exitCode ?? child.signalCode})`);
    isAsked = true;
    child.kill(signal);
    await ended;
  };
  return { baseUrl, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
