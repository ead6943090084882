import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, HOW_TO_GET_CHROMIUM } from './chromium.ts';
import { publishServers } from './servers.ts';
import { standstillsIn } from './standstills.ts';
import { startTestStack, type TestStack } from './start-stack.ts';

let started: TestStack | null = null;

/** Once per run: Postgres, Temporal, one worker, one API, the same programs as in production. */
export async function startShared(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'perennial-test-'));
  try {
    started = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
    await publishServers(started.servers);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

export async function stopShared(): Promise<void> {
  if (started === null) return;
  await started.stop();
  for (const line of await standstillsIn(started.servers.home)) process.stderr.write(`${line}\n`);
  await rm(started.servers.home, { recursive: true, force: true });
  if (findChromium() === null) process.stderr.write(`${HOW_TO_GET_CHROMIUM}\n`);
}
