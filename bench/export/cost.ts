import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connect } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';

// `node bench/export/cost.ts --rounds 12`: what the column of the writing transaction costs its writers: copies of the
// tables without it, with it, and with its index, written in rounds by the same statements; microseconds of a processor
// for a row. The least of the rounds is taken, since other work on the machine disturbs it least
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '12' } } });
const rounds = Number(values.rounds);

const TABLES = ['contract', 'usage_event', 'invoice_item'];
const COPIES = ['without', 'filled', 'indexed'] as const;
type Copy = (typeof COPIES)[number];
/** Rows of a statement, and statements of a round. */
const [GROUP, REPEATS] = [50, 60];

const path = await mkdtemp(join(tmpdir(), 'perennial-cost-'));
const home = await takeHome(path, () => undefined);
const postgres = await preparePostgres(home, () => undefined);
const server = await postgres.start();
const client = new pg.Client({ connectionString: postgres.url });
try {
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  await db.close();
  await client.connect();
  for (const table of TABLES) for (const copy of COPIES) await makeCopy(table, copy);
  const found = await measure();
  console.log('| write | copy | least | median |\n| --- | --- | --- | --- |');
  for (const [name, costs] of found) {
    const sorted = costs.toSorted((a, b) => a - b);
    console.log(`| ${name} | ${[sorted[0], sorted[sorted.length >> 1]].map((cost) => cost?.toFixed(1)).join(' | ')} |`);
  }
} finally {
  await client.end();
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

async function makeCopy(table: string, copy: Copy): Promise<void> {
  const name = `${table}_${copy}`;
  await client.query(`create table ${name} (like ${table} including defaults including indexes)`);
  await client.query(`drop index ${name}_xid_idx`);
  if (copy === 'without') await client.query(`alter table ${name} alter xid drop not null, alter xid drop default`);
  else await client.query(`create trigger changed before update on ${name} for each row execute function changed_by()`);
  if (copy === 'indexed') await client.query(`create index on ${name} using brin (xid) with (autosummarize = on)`);
}

async function measure(): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  const note = async (name: string, sql: (repeat: number) => string): Promise<void> => {
    found.set(name, [...(found.get(name) ?? []), await costOf(sql)]);
  };
  const rows = new Map(await Promise.all(TABLES.map(async (table) => [table, await rowsOf(table)] as const)));
  for (let round = 0; round < rounds; round += 1)
    for (const table of TABLES)
      for (const copy of round % 2 === 0 ? COPIES : COPIES.toReversed()) {
        const name = `${table}_${copy}`;
        await note(`insert ${table} | ${copy}`, () => `insert into ${name} ${rows.get(table)}`);
        const some = (repeat: number) => `array(select id from ${name} limit ${GROUP} offset ${7 * repeat})`;
        if (table === 'contract')
          await note(
            `update ${table} | ${copy}`,
            (repeat) => `update ${name} set current_idx = coalesce(current_idx, 0) + 1 where id = any(${some(repeat)})`,
          );
      }
  return found;
}

/** Rows that have every column that needs a value. */
async function rowsOf(table: string): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
       where table_name = $1 and is_nullable = 'NO' and column_default is null order by ordinal_position`,
    [table],
  );
  const value = (type: string): string => {
    if (type === 'text') return `'Some_' || n || gen_random_uuid()`;
    if (type.startsWith('timestamp')) return 'now()';
    if (type === 'boolean') return 'false';
    return type.startsWith('json') ? `'{"a": 1, "b": [1, 2, 3]}'` : '1';
  };
  const [names, filled] = [rows.map(({ name }) => name), rows.map(({ type }) => value(type))];
  return `(${names.join(', ')}) select ${filled.join(', ')} from generate_series(1, ${GROUP}) n`;
}

/** @returns microseconds for a row, of the process of Postgres that serves this connection */
async function costOf(sql: (repeat: number) => string): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const used = async (): Promise<number> => Number((await readFile(`/proc/${rows[0]?.pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e3;
  const before = await used();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) await client.query(sql(repeat));
  return ((await used()) - before) / (REPEATS * GROUP);
}
