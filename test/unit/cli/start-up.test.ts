import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../../../local-stack/ports.ts';
import { type Ended, runProgram } from '../../support/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-start-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Root writes everywhere: then it is tried by a user who may do only what everybody may,
 * where that one can read the checkout.
 */
function stranger(): { uid?: number } | null {
  if (userInfo().uid !== 0) return {};
  const uid = 65_534;
  const reads = spawnSync('/usr/bin/env', ['test', '-r', join(import.meta.dirname, '../../../package.json')], { uid, cwd: '/' });
  return reads.status === 0 ? { uid } : null;
}

describe('api and worker', () => {
  it.each(['api', 'worker'])('%s: name each missing variable in a line, and exit', async (command) => {
    const { code, stdout, stderr } = await runProgram([command]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n')).toEqual([
      'The configuration is not complete:',
      '  DATABASE_URL: give the address of the database, like postgres://user:password@host:5432/perennial',
      '  TEMPORAL_ADDRESS: give the address of the Temporal server, like temporal:7233',
      '  PERENNIAL_SECRET: give a random text of at least 32 characters, for instance the output of `openssl rand -hex 32`',
      '',
    ]);
  });
});

describe('api and worker whose METRICS_PORT is taken', () => {
  const other = createServer();
  beforeAll(() => once(other.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => other.close());

  it.each(['api', 'worker'])('%s: say so in the log, and exit', async (command) => {
    const METRICS_PORT = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await runProgram([command], {
      env: {
        DATABASE_URL: 'postgres://perennial:pw@127.0.0.1:9/perennial',
        TEMPORAL_ADDRESS: '127.0.0.1:9',
        PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
        HOST: '127.0.0.1',
        PORT: String(await anyFreePort()),
        METRICS_PORT,
      },
    });
    expect([code, stderr]).toEqual([1, '']);
    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ level: 60, service: command, msg: `cannot listen on METRICS_PORT ${METRICS_PORT}` });
  });
});

describe('npm start', () => {
  const start = (env: Record<string, string>): Promise<Ended> => runProgram(['start'], { env, ...stranger() });

  it('prints one line when its home is read-only, whether it exists or not', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    chmodSync(home, 0o555);
    chmodSync(folder, 0o555);
    // root can write to a read-only folder, but nobody can create a folder in /dev/null
    for (const at of stranger() === null ? ['/dev/null'] : [home, join(folder, 'none')]) {
      const { code, stdout, stderr } = await start({ PERENNIAL_HOME: at });
      expect([code, stdout]).toEqual([1, '']);
      const [empty, first, second, ...more] = stderr.split('\n');
      expect([empty, first, more]).toEqual(['', 'Perennial did not start.', ['']]);
      expect(second?.replace(/\((EACCES|ENOTDIR)\)/, '()')).toBe(
        `The folder ${at} can't be written (). Choose another one with PERENNIAL_HOME.`,
      );
    }
  });

  it('prints one line about a wrong variable', async () => {
    const { code, stderr } = await start({ PERENNIAL_HOME: join(folder, 'home'), PORT: 'three' });
    expect(code).toBe(1);
    expect(stderr).toContain('PORT: give a port number between 1 and 65535\n');
  });
});

describe('a Node that is too old', () => {
  /** Runs a checkout without installed packages on a Node that reports an older version. */
  async function runOn(version: string, ...args: string[]): Promise<Ended> {
    mkdirSync(join(folder, 'bin'));
    for (const file of ['bin/perennial.mjs', 'package.json']) copyFileSync(file, join(folder, file));
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      Object.defineProperty(process, 'version', { value: 'v${version}' });`;
    return runProgram(args, { cwd: folder, node: ['--import', `data:text/javascript,${encodeURIComponent(older)}`] });
  }

  it.each(['api', 'worker', 'cli'])('gets one line about what to do from %s', async (command) => {
    expect(await runOn('20.11.0', command)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Perennial needs Node 24 or later, this is v20.11.0: run npm ci, which installs it beside Perennial.\n',
    });
  });

  it('can still print the help', async () => {
    expect(await runOn('20.11.0', '--help')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: node bin\/perennial\.mjs COMMAND/),
    });
  });
});
