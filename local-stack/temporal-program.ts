import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithGo, type GoSources } from './go-program.ts';
import type { GoSource } from './go-toolchain.ts';
import { makeWritable } from './home.ts';
import { type Log, withProgress } from './log.ts';
import { identityOf } from './process-identity.ts';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/** The newest tag that `go install` takes; later ones carry a replace directive. */
const VERSION = 'v1.5.1';
const RELEASE = `https://github.com/temporalio/cli/releases/download/${VERSION}`;
/** SHA-256 of the release's archives: only these are unpacked. */
const ARCHIVES: Readonly<Record<string, string>> = {
  'linux-amd64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-amd64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};
/** The sources' own go.sum, which is part of them, has the hashes of everything else. */
const SOURCES: GoSources = {
  module: 'github.com/temporalio/cli',
  version: VERSION,
  package: './cmd/temporal',
  sum: 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=',
};
const BUILD_TIMEOUT = 20 * 60_000;
const DOWNLOAD_TIMEOUT = 10 * 60_000;

export type Search = GoSource & {
  cache: string;
  programFolders: readonly string[];
  goBinFolders: readonly string[];
  log: Log;
  /** The address of a release's archives; absent: Temporal's own. */
  release?: string;
  /** The archive's hash; absent: the known one of our version. */
  archiveSum?: string;
  sources?: GoSources;
};

/**
 * The Temporal program: from PATH, from the cache, downloaded, or built with Go, in this order. What is fetched or
 * built stays in the cache, so it is done once per machine.
 *
 * @throws Error that says what was tried and what to do
 */
export async function findTemporal(search: Search): Promise<string> {
  const cached = join(search.cache, 'bin', 'temporal');
  for (const candidate of [...search.programFolders.map((folder) => join(folder, 'temporal')), cached]) {
    if (await works(candidate)) return candidate;
  }
  await makeWritable(join(search.cache, 'bin'), search.cache, 'PERENNIAL_CACHE');
  return withLock(join(search.cache, 'temporal.lock'), search.log, async () => {
    if (await works(cached)) return cached;
    return obtain(search, cached);
  });
}

async function obtain(search: Search, cached: string): Promise<string> {
  const failures: string[] = [];
  const ways = [
    { what: 'Downloading the Temporal server', how: () => download(search, cached) },
    {
      what: 'Building the Temporal server with Go (2 to 7 minutes, once)',
      how: () => buildWithGo({ ...search, sources: search.sources ?? SOURCES, target: cached }),
    },
  ];
  for (const { what, how } of ways) {
    try {
      await withProgress(search.log, what, how());
      if (await works(cached)) return cached;
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

async function download({ cache, release = RELEASE, archiveSum }: Search, cached: string): Promise<void> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const expected = archiveSum ?? ARCHIVES[platform];
  if (expected === undefined) throw new Error(`no hash is known of an archive for ${platform}, so none is trusted`);
  const archive = await load(`${release}/temporal_cli_${VERSION.slice(1)}_${platform.replace('-', '_')}.tar.gz`);
  const sum = createHash('sha256').update(archive).digest('hex');
  if (sum !== expected) throw new Error(`what came is not what was published (${sum} for ${expected})`);
  const folder = await mkdtemp(join(cache, 'download-'));
  try {
    const file = join(folder, 'temporal.tar.gz');
    await writeFile(file, archive);
    await run('tar', ['-xzf', file, '-C', folder]);
    await rename(join(folder, 'temporal'), cached);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function load(url: string): Promise<Buffer> {
  const { host } = new URL(url);
  const unreachable = (error: Error): never => {
    throw new Error(`${host} cannot be reached (${error.cause instanceof Error ? error.cause.message : error.message})`, { cause: error });
  };
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT) }).catch(unreachable);
  if (!response.ok) throw new Error(`${host} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer().catch(unreachable));
}

/** Of two copies that start on an empty cache, one builds and the other waits. */
async function withLock<T>(path: string, log: Log, work: () => Promise<T>): Promise<T> {
  const take = async (): Promise<true | null> => {
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) }));
      await handle.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (!(await holderRuns(path))) await rm(path, { force: true });
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

async function holderRuns(path: string): Promise<boolean> {
  const content = await readFile(path, 'utf8').catch(() => '');
  // Empty: its owner is just writing it.
  if (content === '') return true;
  const { pid, identity } = JSON.parse(content) as { pid: number; identity: string };
  return (await identityOf(pid)) === identity;
}
