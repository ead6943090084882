import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { anyFreePort } from '../../local-stack/ports.ts';
import { eventually } from '../support/eventually.ts';
import { type Ended, runProgram, type Started, startProgram } from '../support/program.ts';

/** `npm start` as a new user types it, reachable from other machines too. */
let home: string;
let port: number;
let started: Started;

const { PERENNIAL_CACHE } = process.env;
const env = () => ({
  PERENNIAL_HOME: home,
  PORT: String(port),
  HOST: '0.0.0.0',
  ...(PERENNIAL_CACHE === undefined ? {} : { PERENNIAL_CACHE }),
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'perennial-npm-start-'));
  port = await anyFreePort();
  started = startProgram(['start'], { env: env() });
  // the first start on a machine may have to build the Temporal server
  await eventually(() => expect(started.said().stdout).toContain('Ctrl-C stops it'), { timeout: 15 * 60_000, every: 200 });
}, 16 * 60_000);

afterAll(async () => {
  started.kill('SIGTERM');
  await started.ended;
  rmSync(home, { recursive: true, force: true });
});

const read = (name: string): string => readFileSync(join(home, name), 'utf8').trim();
const dev = (): Record<string, string> => JSON.parse(read('dev.json'));

const answers = async (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

describe('npm start', () => {
  it('tells scripts in dev.json where everything is', async () => {
    expect(Object.keys(dev())).toEqual(['base_url', 'api_key', 'temporal_ui', 'temporal_address', 'database_url', 'portal_url']);
    const answer = await fetch(`${dev().base_url}/v1/c/plan`, { headers: { 'wb-key': dev().api_key ?? '' } });
    expect(answer.status).toBe(200);
  });

  it('keeps all its files to their owner', () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(100);
    // Temporal makes and deletes journals meanwhile
    const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    const open = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => (modeOf(path) & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  it('prints the key and no other secret', () => {
    const { stdout, stderr } = started.said();
    expect(stdout).toContain(dev().api_key);
    const secrets = [
      read('secret'),
      read('postgres.password'),
      read('postgres.admin.password'),
      new URL(dev().database_url ?? '').password,
    ];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(stdout + stderr).not.toContain(secret);
    }
  });

  it('measures for this machine alone, though its API is for others too', async () => {
    const { api_metrics, worker_metrics } = JSON.parse(read('ports.json')) as Record<string, number>;
    // the whole of 127/8 is this machine: who listens on 127.0.0.1 doesn't hear what comes to 127.0.0.2
    const elsewhere = process.platform === 'linux';
    expect(await answers(`http://127.0.0.2:${port}/healthz`)).toBe(elsewhere);
    for (const metrics of [api_metrics, worker_metrics]) {
      expect(await answers(`http://127.0.0.1:${metrics}/metrics`)).toBe(true);
      expect(await answers(`http://127.0.0.2:${metrics}/metrics`)).toBe(false);
    }
  });

  it('works in Postgres as a role that owns its database and nothing else', async () => {
    const client = new pg.Client({ connectionString: dev().database_url });
    await client.connect();
    const { rows } = await client.query(
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    );
    await client.end();
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false }]);
  });

  it('is found by the command line through its home, which finds nothing amiss', async () => {
    const { code, stdout } = await runProgram(['cli', 'doctor'], { env: { PERENNIAL_HOME: home } });
    expect(stdout).toMatch(/^(ok {3}.*\n){10,}$/);
    expect(code).toBe(0);
    const { vendors } = JSON.parse((await runProgram(['cli', 'vendor', 'list', '--json'], { env: { PERENNIAL_HOME: home } })).stdout);
    expect(vendors).toMatchObject([{ name: 'Demo vendor', live_keys: 1 }]);
  });

  it('refuses a second copy on its home, or on its port, in a line', async () => {
    const said = ({ stderr }: Ended): string => stderr.replace('\nPerennial did not start.\n', '');
    const second = await runProgram(['cli', 'start'], { env: { ...env(), PORT: String(await anyFreePort()) } });
    expect([second.code, said(second)]).toEqual([
      1,
      `${home} is in use by a running copy (process ${started.pid}). Stop that one, or set PERENNIAL_HOME and PORT for a second one.\n`,
    ]);
    const other = mkdtempSync(join(tmpdir(), 'perennial-npm-start-'));
    const third = await runProgram(['start'], { env: { ...env(), PERENNIAL_HOME: other } });
    rmSync(other, { recursive: true });
    expect(third.code).toBe(1);
    expect(said(third)).toMatch(
      new RegExp(`^Port ${port} is in use by another program\\. Choose another one, for instance: PORT=\\d+ npm start\\n$`),
    );
  });

  it('stops in order and leaves nothing running', async () => {
    started.kill('SIGTERM');
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/Stopping: API, worker, Temporal, Postgres\n$/);
    expect(await answers(`http://127.0.0.1:${port}/healthz`)).toBe(false);
  });
});
