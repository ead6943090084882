import { execFile, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadLaunchConfig } from '../../../config/launch.ts';
import { buildWithGo } from '../../../local-stack/go-program.ts';
import { anyFreePort } from '../../../local-stack/ports.ts';
import { eventually } from '../../support/eventually.ts';

const VERSION = 'v0.203.0';
const SOURCES = {
  module: 'github.com/stripe/stripe-mock',
  version: VERSION,
  package: '.',
  sum: 'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio=',
};

/** The program, or why it can't be had here. */
export type Found = { program: string } | { missing: string };

/**
 * The processor's own mock of its API, which checks requests against its published description. Built once per machine,
 * kept in the cache.
 */
export async function findStripeMock(): Promise<Found> {
  const config = loadLaunchConfig();
  const program = join(config.cache, 'bin', `stripe-mock-${VERSION}`);
  try {
    if (!(await isThere(program))) await buildWithGo({ ...config, sources: SOURCES, target: program });
    await promisify(execFile)(program, ['-version'], { timeout: 20_000 });
    return { program };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export interface StripeMock {
  base: string;
  stop(): Promise<void>;
}

/** Starts it on a loopback port of its own; answers when it listens. */
export async function startStripeMock(program: string): Promise<StripeMock> {
  const port = await anyFreePort();
  const running = spawn(program, ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
  const base = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(base));
  return {
    base,
    stop: async () => {
      running.kill();
      await ended;
    },
  };
}
