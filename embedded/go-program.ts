import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config/launch.ts';
import { fetchGo, type GoSource } from './go-toolchain.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT = 20 * 60_000;

type GoBuild = GoSource & {
  /** Path of the program's package with its pinned version: `example.org/tool@v1.2.3`. */
  module: string;
  /** Where the program is to stand. */
  target: string;
  cache: string;
  programFolders: readonly string[];
  goBinFolders: readonly string[];
};

/**
 * Builds a program with Go in the cache and puts it into its place whole. Where Go is not installed it is fetched, for this once.
 *
 * @throws Error when Go can be had in neither way, the module can't be had or doesn't build
 */
export async function buildWithGo({ module, target, cache, programFolders, goBinFolders, ...source }: GoBuild): Promise<void> {
  const folders = [...programFolders, ...goBinFolders];
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(cache, 'build-'));
  try {
    const installed = await firstThatRuns(folders.map((one) => join(one, 'go')));
    const go = installed ?? (await fetched(source, join(folder, 'go')));
    await run(go, ['install', module], {
      env: childEnvironment({
        GOBIN: folder,
        GOFLAGS: '-mod=mod',
        PATH: folders.join(delimiter),
        ...(installed === null ? keptIn(folder) : {}),
      }),
      cwd: folder,
      timeout: BUILD_TIMEOUT,
      maxBuffer: 64 * 1024 * 1024,
    });
    await rename(join(folder, basename(module.replace(/@.*/, ''))), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whoever has no Go shall not be left with its caches either: 3 GB, and without this flag files that can't be removed. */
const keptIn = (folder: string) => ({ GOPATH: join(folder, 'path'), GOCACHE: join(folder, 'built'), GOFLAGS: '-mod=mod -modcacherw' });

async function fetched(source: GoSource, into: string): Promise<string> {
  try {
    return await fetchGo(source, into);
  } catch (error) {
    throw new Error(`Go is not installed, and fetching it failed: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function firstThatRuns(programs: readonly string[]): Promise<string | null> {
  for (const program of programs) {
    try {
      await run(program, ['version'], { timeout: 20_000 });
      return program;
    } catch {
      // Not there: the next folder is looked into.
    }
  }
  return null;
}
