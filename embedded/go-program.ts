import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config/launch.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT = 20 * 60_000;

type GoBuild = {
  /** Path of the program's package with its pinned version: `example.org/tool@v1.2.3`. */
  module: string;
  /** Where the program is to stand. */
  target: string;
  cache: string;
  programFolders: readonly string[];
  goBinFolders: readonly string[];
};

/**
 * Builds a program with Go in the cache and puts it into its place whole.
 *
 * @throws Error when Go is not installed, the module can't be had or doesn't build
 */
export async function buildWithGo({ module, target, cache, programFolders, goBinFolders }: GoBuild): Promise<void> {
  const folders = [...programFolders, ...goBinFolders];
  const go = await firstThatRuns(folders.map((folder) => join(folder, 'go')));
  if (go === null) throw new Error('Go is not installed');
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(join(cache, 'build-'));
  try {
    await run(go, ['install', module], {
      env: childEnvironment({ GOBIN: folder, GOFLAGS: '-mod=mod', PATH: folders.join(delimiter) }),
      cwd: folder,
      timeout: BUILD_TIMEOUT,
      maxBuffer: 64 * 1024 * 1024,
    });
    await rename(join(folder, basename(module.replace(/@.*/, ''))), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
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
