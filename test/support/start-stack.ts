import { loadLaunchConfig } from '../../config/launch.ts';
import { takeHome } from '../../local-stack/home.ts';
import type { Log } from '../../local-stack/log.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { type Running, type Stack, startStack, stopParts } from '../../local-stack/stack.ts';
import type { Servers } from './servers.ts';

/** What tests may need of the programs, apart from their addresses. */
export type TestStack = { servers: Servers; stack: Stack; stop(): Promise<void> };

/**
 * The production programs on servers of their own in an empty home; whatever was started is stopped when the start
 * fails.
 */
export async function startTestStack(homePath: string, log: Log): Promise<TestStack> {
  // nobody listens there: what is queued stays queued, but for tests that bring a mail server
  process.env.SMTP_URL ??= 'smtp://127.0.0.1:9';
  // a receiver that fails is tried again within a test's time
  process.env.WEBHOOK_RETRY_PAUSES ??= '100ms,200ms,400ms,800ms';
  process.env.WEBHOOK_GIVE_UP_AFTER ??= '20s';
  const port = await anyFreePort();
  const config = loadLaunchConfig({
    ...pathOnly(),
    PERENNIAL_HOME: homePath,
    PORT: String(port),
  });
  const home = await takeHome(homePath, log);
  const running: Running = {};
  const stop = async (): Promise<void> => {
    await stopParts(running);
    await home.release();
  };
  try {
    const stack = await startStack({ home, config, log, restarts: false }, running);
    return { stack, stop, servers: serversOf(stack, homePath) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serversOf(stack: Stack, home: string): Servers {
  const { baseUrl, databaseUrl, temporalAddress, temporalUi, apiMetricsPort, workerMetricsPort } = stack;
  return { baseUrl, databaseUrl, temporalAddress, temporalUi, apiMetricsPort, workerMetricsPort, home };
}

/** The programs a test run may look for; all other settings are the tests' own. */
function pathOnly(): Record<string, string | undefined> {
  const { PATH, PERENNIAL_CACHE } = process.env;
  return { PATH, PERENNIAL_CACHE };
}
