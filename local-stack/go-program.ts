import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config/launch.ts';
import { unpackModule } from './go-module.ts';
import { fetchGo, type GoSource } from './go-toolchain.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT = 20 * 60_000;

/** A program's module, pinned: its own go.sum, which is part of it, pins everything else it is made of. */
export type GoSources = {
  /** `example.org/tool` */
  module: string;
  version: string;
  /** The program's package, from the module's root: `./cmd/tool`. */
  package: string;
  /** The hash of this version as in go.sum files. */
  sum: string;
};

type GoBuild = GoSource & {
  sources: GoSources;
  /** The path of the program to build. */
  target: string;
  cache: string;
  programFolders: readonly string[];
  goBinFolders: readonly string[];
};

/**
 * Builds a program with Go in the cache and moves it to its place when it is complete. Where Go is not installed it is
 * fetched for this build.
 *
 * @throws Error when there is no Go, the module can't be loaded, isn't what was published, or doesn't build
 */
export async function buildWithGo({ sources, target, cache, programFolders, goBinFolders, ...source }: GoBuild): Promise<void> {
  const folders = [...programFolders, ...goBinFolders];
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(cache, 'build-'));
  try {
    const installed = await firstThatRuns(folders.map((one) => join(one, 'go')));
    const go = installed ?? (await fetched(source, join(folder, 'go')));
    const env = childEnvironment({
      GOFLAGS: FLAGS,
      // its hash is checked here, those of its dependencies by its go.sum
      GONOSUMDB: sources.module,
      PATH: folders.join(delimiter),
      ...(installed === null ? cachesIn(folder) : {}),
    });
    const inFolder = (args: readonly string[], cwd: string) =>
      run(go, args, { env, cwd, timeout: BUILD_TIMEOUT, maxBuffer: 64 * 1024 * 1024 });
    const name = `${sources.module}@${sources.version}`;
    const { stdout } = await inFolder(['mod', 'download', '-json', name], folder);
    const { Zip: zip } = JSON.parse(stdout) as { Zip: string };
    const root = join(folder, 'sources');
    await unpackModule(await readFile(zip), { name, sum: sources.sum }, root);
    await inFolder(['build', WITHOUT_SYMBOLS, '-o', join(folder, 'program'), sources.package], root);
    await rename(join(folder, 'program'), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing that isn't in go.sum is used, and no version control is asked. */
const FLAGS = '-mod=readonly -buildvcs=false';
/** Spares the linker half of its work. */
const WITHOUT_SYMBOLS = '-ldflags=-s -w';

/** A machine without Go must not be left with Go's caches: 3 GB, and without this flag files that can't be removed. */
const cachesIn = (folder: string) => ({ GOPATH: join(folder, 'path'), GOCACHE: join(folder, 'built'), GOFLAGS: `${FLAGS} -modcacherw` });

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
      // Not there: the next folder is tried.
    }
  }
  return null;
}
