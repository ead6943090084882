import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { sweep } from '../rollover/ceiling.ts';
import { makeHerd } from '../rollover/herd.ts';

// `node bench/export/cost.ts --pairs 5`: what the column of the writing transaction costs whoever writes, without it
// and with it in turns, in microseconds of a processor: for each invoice of a sweep, and of Postgres for each usage
// event, update of a contract and new line. The first pair warms up
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    contracts: { type: 'string', default: '500' },
    events: { type: 'string', default: '20000' },
  },
});
const [pairs, contracts, events] = [Number(values.pairs), Number(values.contracts), Number(values.events)];
const log = (line: string): void => console.error(line);

const TABLES = ['invoice', 'invoice_item', 'usage_event', 'ledger_transaction', 'customer', 'contract'];
const WRITTEN = '(pg_current_xact_id())::text::bigint';
const SETS = 'new.xid := pg_current_xact_id()::text::bigint;';

/** Rows of a statement. */
const GROUP = 50;
const INSERT = `insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Evt_' || gen_random_uuid(), 'Wbc_1', 'Cust_' || n, 'Cont_' || n, 1, 'calls', 1, now(), now(), '{}' from generate_series(1, ${GROUP}) n`;
const UPDATE = `update contract set current_idx = current_idx + 1 where id = any(array(select id from contract limit ${GROUP}))`;
const LINE = `kind, source, name, currency, due_date, scheduling_policy, unit_count, unit_price, subtotal, discount_amount, total_excluding_tax, tax_amount,
  total_including_tax, tax_policy, derivation, created, vendor_id, customer_id, contract_id, invoice_id`;
const COPY = `insert into invoice_item (id, charge_key, ${LINE})
  select 'Item_' || gen_random_uuid(), gen_random_uuid(), ${LINE} from (select * from invoice_item limit ${GROUP}) i`;

const path = await mkdtemp(join(tmpdir(), 'perennial-cost-'));
const home = await takeHome(path, log);
const postgres = await preparePostgres(home, log);
const server = await postgres.start();
try {
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  console.log(
    '| pair | column | sweep: Node | sweep: Postgres | usage event | contract | line |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const isThere of pair % 2 === 0 ? [false, true] : [true, false]) {
      await setColumn(db, isThere);
      const figures = [
        ...(await sweepCost(db)),
        await costOf(db, INSERT, events),
        await costOf(db, UPDATE, events),
        await costOf(db, COPY, events),
      ].map((figure) => figure.toFixed(1));
      console.log(`| ${pair} | ${isThere ? 'with' : 'without'} | ${figures.join(' | ')} |`);
    }
  }
  await db.close();
} finally {
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

/** Takes away, or brings back, all that fills and indexes the column; the column itself stays. */
async function setColumn(db: Database, isThere: boolean): Promise<void> {
  for (const table of [...TABLES, 'event']) {
    await db.query(`drop index if exists ${table}_xid_index`);
    if (isThere) await db.query(`create index ${table}_xid_index on ${table} using brin (xid) with (autosummarize = on)`);
  }
  for (const table of TABLES)
    await db.query(
      `alter table ${table} alter xid ${isThere ? `set default ${WRITTEN}` : 'drop default'}${isThere ? '' : ', alter xid drop not null'}`,
    );
  for (const table of ['usage_event', 'customer', 'contract'])
    await db.query(`alter table ${table} ${isThere ? 'enable' : 'disable'} trigger ${table}_changed`);
  for (const name of ['invoice_is_final', 'invoice_item_is_final']) {
    const [row] = await db.query<{ text: string }>('select pg_get_functiondef($1::regproc) as text', [name]);
    const text = row?.text ?? '';
    await db.query(isThere ? text.replace(`/* ${SETS} */`, SETS) : text.replace(/(?<!\/\* )new\.xid := [^;]+;/, `/* ${SETS} */`));
  }
}

async function postgresSeconds(): Promise<number> {
  return (await cpuSeconds(server.pid)) ?? Number.NaN;
}

async function sweepCost(db: Database): Promise<number[]> {
  const herd = await makeHerd(db, contracts);
  let [node, sql] = [process.cpuUsage(), 0];
  const began = async (): Promise<void> => {
    sql = await postgresSeconds();
    node = process.cpuUsage();
  };
  const ended = async (): Promise<[number, number]> => {
    const { user, system } = process.cpuUsage(node);
    return [(user + system) / contracts, ((await postgresSeconds()) - sql) * (1e6 / contracts)];
  };
  return [...(await sweep(db, herd, { began, ended })).sweepCost];
}

/** @returns microseconds of Postgres for a row */
async function costOf(db: Database, sql: string, rows: number): Promise<number> {
  const before = await postgresSeconds();
  for (let written = 0; written < rows; written += GROUP) await db.query(sql);
  return ((await postgresSeconds()) - before) * (1e6 / rows);
}
