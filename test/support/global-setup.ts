import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishServers, startTestStack, type TestStack } from './servers.ts';

declare global {
  var perennialTestStack: TestStack | undefined;
}

/** Once per run: Postgres, Temporal, one worker, one API, the same programs as in production. */
export default async function globalSetup(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'perennial-test-'));
  const started = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
  await publishServers(started.servers);
  globalThis.perennialTestStack = started;
}
