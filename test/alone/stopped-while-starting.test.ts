import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadLaunchConfig } from '../../config/launch.ts';
import { takeHome } from '../../local-stack/home.ts';
import type { PartName } from '../../local-stack/part.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { identityOf } from '../../local-stack/process-identity.ts';
import { type Running, startStack, stopParts } from '../../local-stack/stack.ts';
import { eventually } from '../support/eventually.ts';
import { startProgram } from '../support/program.ts';

const PARTS: readonly PartName[] = ['postgres', 'temporal', 'worker', 'api'];

let home: string;
let env: Record<string, string>;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'perennial-stopped-'));
  const { PERENNIAL_CACHE } = process.env;
  env = { PERENNIAL_HOME: home, PORT: String(await anyFreePort()), ...(PERENNIAL_CACHE === undefined ? {} : { PERENNIAL_CACHE }) };
});
afterEach(() => rm(home, { recursive: true, force: true }));

it('what is stopped while its API is about to be started stops whole, and starts no API behind that', async () => {
  const running: Running = {};
  const taken = await takeHome(home, () => undefined);
  let stopping = Promise.resolve();
  const introduce = async (): Promise<void> => {
    stopping = stopParts(running);
  };
  const config = loadLaunchConfig({ PATH: process.env.PATH, ...env });
  try {
    await expect(startStack({ home: taken, config, log: () => undefined, restarts: true, introduce }, running)).rejects.toThrow();
    await stopping;
    expect(PARTS.filter((name) => running[name]?.isRunning())).toEqual([]);
  } finally {
    await stopParts(running);
    await taken.release();
  }
});

it('npm start that gets SIGTERM while its Postgres starts ends with code 0, and leaves no process behind and its home free', async () => {
  const started = startProgram(['start'], { env });
  const children = () =>
    readFile(join(home, 'run.json'), 'utf8').then((text) => JSON.parse(text).children as Record<string, { pid: number }>);
  const noted = await eventually(
    async () => {
      const found = await children();
      expect(found).toHaveProperty('postgres');
      return found;
    },
    { every: 5 },
  );
  started.kill('SIGTERM');
  const { code, stdout, stderr } = await started.ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('\nStopping: API, worker, Temporal, Postgres\n');
  await eventually(async () =>
    expect(await Promise.all(Object.values(noted).map(({ pid }) => identityOf(pid)))).toEqual(Object.values(noted).map(() => null)),
  );
  await (await takeHome(home, () => undefined)).release();
});
