import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { buildWithGo } from './go-program.ts';
import type { GoSource } from './go-toolchain.ts';
import { type Log, withProgress } from './log.ts';
import { identityOf } from './process-identity.ts';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/** The newest tag that `go install` takes; later ones carry a replace directive. */
const VERSION = 'v1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`;
const DOWNLOAD = `https://temporal.download/cli/archive/${VERSION}`;
const BUILD_TIMEOUT = 20 * 60_000;

export type Search = GoSource & {
  cache: string;
  programFolders: readonly string[];
  goBinFolders: readonly string[];
  log: Log;
  download?: string;
};

/**
 * The Temporal program: on PATH, kept in the cache, downloaded, or built with Go, in this order. Whatever is fetched or built
 * stays in the cache, so it is done once per machine.
 *
 * @throws Error that says what was tried and what to do
 */
export async function findTemporal(search: Search): Promise<string> {
  const kept = join(search.cache, 'bin', 'temporal');
  for (const candidate of [...search.programFolders.map((folder) => join(folder, 'temporal')), kept]) {
    if (await works(candidate)) return candidate;
  }
  await mkdir(join(search.cache, 'bin'), { recursive: true });
  return withLock(join(search.cache, 'temporal.lock'), search.log, async () => {
    if (await works(kept)) return kept;
    return obtain(search, kept);
  });
}

async function obtain(search: Search, kept: string): Promise<string> {
  const failures: string[] = [];
  const ways = [
    { what: 'Downloading the Temporal server', how: () => download(search, kept) },
    {
      what: 'Building the Temporal server with Go, once per machine (2 to 7 minutes)',
      how: () => buildWithGo({ ...search, module: MODULE, target: kept }),
    },
  ];
  for (const { what, how } of ways) {
    try {
      await withProgress(search.log, what, how());
      if (await works(kept)) return kept;
      failures.push(`${what}: the program that came out does not run`);
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message.trim() : error}`);
    }
  }
  throw new Error(
    `No Temporal server could be had.\n${failures.map((failure) => `  - ${failure}`).join('\n')}\n` +
      'Install the Temporal CLI so that `temporal` is on PATH, or install Go, or set TEMPORAL_ADDRESS to a running server.',
  );
}

async function works(program: string): Promise<boolean> {
  try {
    await access(program, constants.X_OK);
    await run(program, ['--version'], { timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

async function download({ cache, download: address = DOWNLOAD }: Search, kept: string): Promise<void> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `${address}?platform=${process.platform}&arch=${arch}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(600_000) }).catch((error: Error) => {
    throw new Error(`${new URL(url).host} cannot be reached (${error.cause instanceof Error ? error.cause.message : error.message})`);
  });
  if (!answer.ok || !answer.body) throw new Error(`${new URL(url).host} answered ${answer.status}`);
  const folder = await mkdtemp(join(cache, 'download-'));
  try {
    const archive = join(folder, 'temporal.tar.gz');
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(archive));
    await run('tar', ['-xzf', archive, '-C', folder]);
    await rename(join(folder, 'temporal'), kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two copies that start on an empty cache build once: the second waits for the first. */
async function withLock<T>(path: string, log: Log, work: () => Promise<T>): Promise<T> {
  const take = async (): Promise<true | null> => {
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) }));
      await handle.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!(await holderLives(path))) await rm(path, { force: true });
      return null;
    }
  };
  const waiting = waitUntil(take, { timeoutMs: BUILD_TIMEOUT, everyMs: 250, what: 'the build of Temporal by another copy' });
  await withProgress(log, 'Waiting for another copy that is fetching the Temporal server', waiting);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function holderLives(path: string): Promise<boolean> {
  const content = await readFile(path, 'utf8').catch(() => '');
  // Empty: being written this very moment.
  if (content === '') return true;
  const { pid, identity } = JSON.parse(content) as { pid: number; identity: string };
  return (await identityOf(pid)) === identity;
}
