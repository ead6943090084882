import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { identityOf } from '../../local-stack/process-identity.ts';
import { eventually } from '../support/eventually.ts';

const COPY = join(import.meta.dirname, 'killed-copy.ts');
const quiet = (): void => {};
let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'perennial-home-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

async function startCopy(): Promise<{ copy: ChildProcess; pid: number; url: string }> {
  const copy = spawn(process.execPath, [COPY, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(copy.stdout ?? copy, 'data')) as [Buffer];
  return { copy, ...(JSON.parse(line.toString()) as { pid: number; url: string }) };
}

async function kill(copy: ChildProcess): Promise<void> {
  const gone = once(copy, 'exit');
  copy.kill('SIGKILL');
  await gone;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a copy of Perennial', () => {
  it('refuses a home that another copy runs on and names its process', async () => {
    const { copy } = await startCopy();
    await expect(takeHome(path, quiet)).rejects.toThrow(`is in use by a running copy (process ${copy.pid})`);
    copy.kill('SIGTERM');
    await once(copy, 'exit');
  });

  it('killed with -9 leaves no Postgres behind, and the next one finds every committed row', async () => {
    const { copy, pid, url } = await startCopy();
    await query(url, 'create table kept (n int)');
    await query(url, 'insert into kept select generate_series(1, 1000)');
    await kill(copy);
    await eventually(async () => expect(await identityOf(pid)).toBeNull());
    const home = await takeHome(path, quiet);
    const postgres = await preparePostgres(home, quiet);
    const child = await postgres.start();
    expect(await query(postgres.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
    await child.stop(10_000);
    await home.release();
  });

  it('whose Postgres was killed too starts again although the lock file names a process that lives', async () => {
    const { copy, pid, url } = await startCopy();
    process.kill(pid, 'SIGKILL');
    await kill(copy);
    await eventually(async () => expect(await identityOf(pid)).toBeNull());
    writeFileSync(join(path, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(path, 'postgres')}\n1\n1\n`);
    const home = await takeHome(path, quiet);
    const postgres = await preparePostgres(home, quiet);
    expect(postgres.url).toBe(url);
    const child = await postgres.start();
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await child.stop(10_000);
    await home.release();
  });

  it('starts Postgres again at once after it was killed amid a statement, which goes on computing for 2 s', async () => {
    const home = await takeHome(path, quiet);
    const postgres = await preparePostgres(home, quiet);
    const first = await postgres.start();
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', quiet);
    await client.connect();
    // sleeping would notice the end at once, and a loop of its own never looks
    const computing = client.query(`do $$ declare until timestamptz := clock_timestamp() + interval '2 s'; begin
      while clock_timestamp() < until loop perform 1; end loop; end $$`);
    computing.catch(quiet);
    const [statement] = await eventually(async () => {
      const rows = await query(postgres.url, `select pid from pg_stat_activity where query like 'do %' and state = 'active'`);
      expect(rows).toHaveLength(1);
      return rows as { pid: number }[];
    });
    process.kill(first.pid, 'SIGKILL');
    await eventually(async () => expect(await identityOf(first.pid)).toBeNull());
    expect(await identityOf(statement?.pid ?? 0)).not.toBeNull();
    const second = await postgres.start();
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop(10_000);
    await home.release();
  });
});
