import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportServer } from '../../db/sql/export/server.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { type Ended, runProgram, startProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';

const ROWS = 20_000;

let own: OwnDatabase;
let temporal: string;
let folder: string;
beforeAll(async () => {
  own = await ownDatabase();
  temporal = (await servers()).temporalAddress;
  folder = await mkdtemp(join(tmpdir(), 'export-'));
});
afterAll(async () => {
  await own.drop();
  await rm(folder, { recursive: true });
});

const env = () => ({
  DATABASE_URL: own.databaseUrl,
  TEMPORAL_ADDRESS: temporal,
  PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
});
const cli = (...args: string[]): Promise<Ended> => runProgram(['cli', 'export', ...args], { env: env() });
const vendorNamed = async (name: string): Promise<string> => (await createVendor(own.db, name)).vendorId;

interface Line {
  cursor: string;
  customer: AnyJson;
}

/** The last line may have been broken off. */
const wholeLines = (stdout: string): Line[] =>
  stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function exported(vendor: string, ...args: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await cli('customer', '--vendor', vendor, ...args);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Exported ')]);
  return wholeLines(stdout);
}

const INSERT = `insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, configuration)
  select $2 || lpad(n::text, 6, '0'), $1, now(), 'first', '{}', '{}', '{}', '{}', 'active', '{}' from generate_series(1, $3::int) n`;
const insert = (vendor: string, prefix: string, count: number) => own.db.query(INSERT, [vendor, prefix, count]);
const rename = (id: string, name: string) => own.db.query('update customer set name = $2 where id = $1', [id, name]);
const placeOf = ({ cursor }: Line): [bigint, string] => {
  const [, , xid = '', id = ''] = cursor.split('.');
  return [BigInt(xid), id];
};
const isBefore = (one: Line, other: Line): boolean => {
  const [[xid, id], [otherXid, otherId]] = [placeOf(one), placeOf(other)];
  return xid < otherXid || (xid === otherXid && id < otherId);
};
const expectInOrder = (lines: readonly Line[]): void =>
  expect(lines.filter((line, n) => n > 0 && !isBefore(lines[n - 1] as Line, line))).toEqual([]);
/** Every transaction so far has ended, also those of other databases on the server. */
async function allSettled(): Promise<void> {
  const [row] = await own.db.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next');
  await eventually(async () => expect((await exportServer(own.db)).settled >= BigInt(row?.next ?? '')).toBe(true));
}

/** New rows, and a row that changes all the time, by two writers. */
async function whileWriting(vendor: string, name: string, work: () => Promise<void>): Promise<void> {
  let goesOn = true;
  const write = async (writer: number) => {
    for (let n = 0; goesOn; n += 1)
      await own.db.transaction(async (tx) => {
        await tx.query(INSERT, [vendor, `Cust_${name}${writer}-${n}-`, 20]);
        await tx.query('update customer set name = $2 where id = $1', ['Cust_old000002', `${name} ${writer} ${n}`]);
      });
  };
  const writers = Promise.all([write(1), write(2)]);
  await work().finally(() => {
    goesOn = false;
  });
  await writers;
}

describe('an export', () => {
  it('of rows that are written meanwhile, one transaction open all the time, has each change once, in order', async () => {
    const vendor = await vendorNamed('under load');
    await insert(vendor, 'Cust_old', 10);
    await allSettled();
    const file = join(folder, 'cursor');
    const lines: Line[] = [];
    const goOn = async () => lines.push(...(await exported(vendor, '--cursor-file', file)));
    const open = await own.db.pool.connect();
    await open.query('begin');
    await open.query(`update customer set name = 'late' where id = 'Cust_old000001'`);
    await whileWriting(vendor, 'a', async () => {
      await goOn();
      await goOn();
    });
    // the open transaction is older than all that was written since: none of it is passed
    expect(lines.filter(({ customer }) => customer.name === 'late' || customer.id.startsWith('Cust_a'))).toEqual([]);
    await open.query(INSERT, [vendor, 'Cust_late', 5]);
    await open.query('commit');
    open.release();
    await whileWriting(vendor, 'b', async () => {
      await goOn();
      await goOn();
    });
    await allSettled();
    await goOn();

    expectInOrder(lines);
    const stored = await own.db.query<{ id: string; name: string }>('select id, name from customer where vendor_id = $1', [vendor]);
    const last = new Map(lines.map(({ customer }) => [customer.id, customer.name]));
    expect(last).toEqual(new Map(stored.map(({ id, name }) => [id, name])));
    expect(stored.length).toBeGreaterThan(100);
    // new rows never change here: each came in one line
    const times = Map.groupBy(lines, ({ customer }) => customer.id);
    expect([...times].filter(([id, all]) => !id.startsWith('Cust_old') && all.length !== 1)).toEqual([]);
    expect(times.get('Cust_old000001')?.map(({ customer }) => customer.name)).toEqual(['first', 'late']);
    expect(await exported(vendor, '--cursor-file', file)).toEqual([]);
  });

  it('of 20,000 rows in 64 MB, killed and resumed behind its last whole line, has each once', async () => {
    const vendor = await vendorNamed('many');
    await insert(vendor, 'Cust_many', ROWS);
    await allSettled();
    const small = { env: env(), node: ['--max-old-space-size=64'] };
    const args = ['cli', 'export', 'customer', '--vendor', vendor];
    const started = startProgram(args, small);
    await eventually(() => expect(started.said().stdout.length).toBeGreaterThan(200_000));
    started.kill('SIGKILL');
    const before = wholeLines((await started.ended).stdout);
    expect(before.length).toBeLessThan(ROWS);
    const { code, stdout } = await runProgram([...args, '--after', before.at(-1)?.cursor ?? ''], small);
    expect(code).toBe(0);
    const lines = [...before, ...wholeLines(stdout)];
    expect(lines).toHaveLength(ROWS);
    expectInOrder(lines);
  });

  it('ends with 0 when its reader has enough, and says where to go on', async () => {
    const vendor = await vendorNamed('piped');
    await insert(vendor, 'Cust_piped', 5_000);
    await allSettled();
    const command = `"${process.execPath}" bin/perennial.mjs cli export customer --vendor ${vendor} | head -n 1; exit \${PIPESTATUS[0]}`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], { env: { ...process.env, ...env() } });
    expect(wholeLines(stdout)).toHaveLength(1);
    expect(stderr).toMatch(/^Stopped after (1 row|[2-9] rows|\d{2,} rows)\.\nTo go on from here: --after customer\./);
  });

  it('has rows that a dump of another server brought first, and what is changed in them later', async () => {
    const vendor = await vendorNamed('restored');
    await insert(vendor, 'Cust_back', 3);
    await own.db.query('alter table customer disable trigger customer_changed');
    await own.db.query(`update customer set xid = 1000000000000 + right(id, 1)::int where vendor_id = $1 and id < 'Cust_back000003'`, [
      vendor,
    ]);
    await own.db.query('alter table customer enable trigger customer_changed');
    await allSettled();
    const lines = await exported(vendor);
    expect(lines.map((line) => placeOf(line)[1])).toEqual(['Cust_back000001', 'Cust_back000002', 'Cust_back000003']);
    expect(lines.map((line) => placeOf(line)[0] === 0n)).toEqual([true, true, false]);
    const after = lines.at(-1)?.cursor ?? '';
    await rename('Cust_back000001', 'changed');
    await allSettled();
    expect((await exported(vendor, '--after', after)).map(({ customer }) => customer.name)).toEqual(['changed']);
  });

  it('keeps a cursor of where it ended, also behind rows of others, and refuses one of another noun, vendor or server', async () => {
    const [vendor, another] = [await vendorNamed('alone'), await vendorNamed('another')];
    await insert(another, 'Cust_another', 2);
    await allSettled();
    const file = join(folder, 'alone');
    expect(await exported(vendor, '--cursor-file', file)).toEqual([]);
    const cursor = (await readFile(file, 'utf8')).trim();
    expect(cursor).toMatch(/^customer\.[0-9a-f]{12}\.\d+\.$/);
    const wrong = (noun: string, after: string) => cli(noun, '--vendor', vendor, '--after', after);
    expect(await wrong('invoice', cursor)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'this is a cursor of export customer, not of export invoice\n',
    });
    const elsewhere = cursor.replace(/\.[0-9a-f]{12}\./, '.000000000000.');
    expect(await wrong('customer', elsewhere)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/another database server/),
    });
    // what it has passed of one vendor's rows says nothing of another's: they would be left out
    expect(await cli('customer', '--vendor', another, '--cursor-file', file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/of another vendor/),
    });
    expect((await readFile(file, 'utf8')).trim()).toBe(cursor);
    // before a row is printed that would come again
    for (const [path, code] of [
      [join(folder, 'none', 'cursor'), 'ENOENT'],
      [folder, 'EISDIR'],
    ] as const)
      expect(await cli('customer', '--vendor', another, '--cursor-file', path)).toEqual({
        code: 1,
        stdout: '',
        stderr: `no cursor can be kept in ${path} (${code}): give another file\n`,
      });
    expect((await wrong('customer', 'Evt_1')).code).toBe(2);
    expect((await cli('wallet', '--vendor', vendor)).code).toBe(2);
    expect(await cli('customer', '--vendor', 'Wbc_none')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^there is no vendor/) });
  });
});
