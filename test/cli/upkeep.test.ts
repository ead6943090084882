import pg from 'pg';
import { doctorChecks } from '../../cli/doctor-checks.ts';
import { withConfiguredDatabase } from '../../cli/with-database.ts';
import { connect, type Database } from '../../db/connect.ts';
import { SEARCH_ATTRIBUTES } from '../../temporal/search-attributes.ts';
import { eventually } from '../support/eventually.ts';
import { emptyDatabase } from '../support/own-database.ts';
import { type Ended, runProgram, startProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';

/** A database without tables and a namespace without search attributes, which no worker and no API uses. */
let databaseUrl: string;
let drop: () => Promise<void>;
let db: Database;
let temporal: Temporal;
let address: string;
const namespace = `cli-${process.pid}-${Date.now()}`;

beforeAll(async () => {
  ({ databaseUrl, drop } = await emptyDatabase());
  db = await connect({ databaseUrl, databasePool: 2 });
  address = (await servers()).temporalAddress;
  temporal = temporalAt(address);
  await temporal.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  // it takes a moment until all parts of the server know a new namespace
  await eventually(() => temporal.connection.operatorService.listSearchAttributes({ namespace }));
});

afterAll(async () => {
  await temporal.close();
  await db.close();
  await drop();
});

const env = (): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
  TEMPORAL_TASK_QUEUE: 'nobody-listens',
  PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
});
const cli = (...args: string[]): Promise<Ended> => runProgram(['cli', ...args], { env: env() });
const resultOf = async (...args: string[]): Promise<unknown> => JSON.parse((await cli(...args, '--json')).stdout);

const ATTRIBUTES = Object.keys(SEARCH_ATTRIBUTES);
const tables = async (): Promise<number> =>
  (await db.query(`select 1 from information_schema.tables where table_name = $1`, ['contract'])).length;

it('gives a statement of a migration or of doctor a day, and others a minute', async () => {
  const before = { ...process.env };
  Object.assign(process.env, env());
  try {
    const limitOf = async (way: 'configured' | 'patient' | 'direct') => {
      const [set] = await withConfiguredDatabase(
        (opened) => opened.query<{ limit: string }>(`select current_setting('statement_timeout') as limit`),
        way,
      );
      return set?.limit;
    };
    expect([await limitOf('direct'), await limitOf('patient'), await limitOf('configured')]).toEqual(['1d', '1d', '1min']);
  } finally {
    process.env = before;
  }
});

// the order matters: each test continues with the state that the previous one left
describe('upkeep on the command line', () => {
  it('reports missing tables: doctor in its first check, other commands in one line', async () => {
    const { code, stdout } = await cli('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^BAD {2}all migrations are applied\n {7}\S+\n {5}→ npm run migrate\n$/);
    expect(await cli('vendor', 'list')).toEqual({ code: 1, stdout: '', stderr: 'The tables are missing or old: run migrate first.\n' });
  });

  it('migrate --dry-run prints what it would apply, and applies nothing', async () => {
    const { code, stdout } = await cli('migrate', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Would have applied \S+\nWould have registered PerennialVendor, /);
    expect(await resultOf('migrate', '--dry-run')).toEqual({
      dry_run: true,
      migrations: [expect.stringContaining('nitial')],
      search_attributes: ATTRIBUTES,
    });
    expect(await tables()).toBe(0);
  });

  it('migrate waits for another migration, says so, and applies everything once', async () => {
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    await other.query('select pg_advisory_lock(7305112001)');
    const started = startProgram(['cli', 'migrate'], { env: env() });
    await eventually(() => expect(started.said().stderr).toMatch(/Bringing the tables up to date … ([2-9]|\d\d+) s\n/));
    expect(await tables()).toBe(0);
    await other.end();
    const { code, stdout, stderr } = await started.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Applied \S+\nRegistered PerennialVendor, /);
    expect(stderr).toMatch(/done after \d+ s\n$/);
    expect(await tables()).toBe(1);
    expect((await cli('migrate')).stdout).toBe('All migrations were applied already\nAll search attributes were registered already\n');
    expect(await resultOf('migrate')).toEqual({ dry_run: false, migrations: [], search_attributes: [] });
  });

  it('doctor finds no problem with a day for each statement, then a missing workflow', async () => {
    // a table that notes how long a statement that reads its row may take
    await db.query(`insert into outbox (kind, workflow_id, next_try) values ('contract', 'Cont_0', now() + interval '1 hour');
      create table noted (statement_limit text);
      create function note_limit() returns boolean cost 0.0001 language sql as
        $$insert into noted values (current_setting('statement_timeout')); select true$$;
      alter table outbox rename to outbox_itself;
      create view outbox as select * from outbox_itself where note_limit()`);
    const well = await cli('doctor');
    expect(await db.query('select distinct statement_limit from noted')).toEqual([{ statement_limit: '1d' }]);
    await db.query('drop view outbox; alter table outbox_itself rename to outbox; drop function note_limit; drop table noted');
    await db.query('delete from outbox');
    expect([well.code, well.stderr]).toEqual([0, '']);
    const asked = doctorChecks(db, async () => []).map(({ asks }) => asks);
    expect(well.stdout).toBe(asked.map((one) => `ok   ${one}\n`).join(''));
    await db.query(
      `insert into agenda (vendor_id, customer_id, contract_id, workflow_id, kind, subject, due_at, detail)
       values ('Wbc_1', 'Cust_1', 'Cont_1', 'Cont_1', 'boundary', 'Cont_1', now() + interval '1 hour', '{}')`,
    );
    const { code, stdout } = await cli('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'BAD  each chain of contracts that needs a workflow has one\n       Cont_1 has no running workflow\n     → npm run reconcile\n',
    );
    const ok = { ok: true, findings: [], remedy: null };
    expect(await resultOf('doctor')).toMatchObject({
      ok: false,
      checks: [
        ok,
        ok,
        { ok: false, findings: ['Cont_1 has no running workflow'], remedy: 'npm run reconcile' },
        ...Array(asked.length - 3).fill(ok),
      ],
    });
  });

  it('doctor does not name what waits for the message that begins its workflow, or what has ended meanwhile', async () => {
    const [late, waits, ended] = ['Cont_late', 'Cont_waits', 'Cont_ended'];
    await db.query(
      `insert into agenda (vendor_id, customer_id, contract_id, workflow_id, kind, subject, due_at, detail)
       select 'Wbc_1', 'Cust_1', id, id, 'boundary', id, now() + interval '1 hour', '{}' from unnest($1::text[]) id`,
      [[late, waits, ended]],
    );
    await db.query(`insert into outbox (kind, workflow_id, wanted, sent) values ('contract', $1, 1, 1), ('contract', $2, 1, 0)`, [
      late,
      waits,
    ]);
    const missing = async (ids: readonly string[]) => {
      await db.query('delete from agenda where contract_id = $1', [ended]);
      return ids.filter((id) => [late, waits, ended].includes(id));
    };
    const check = doctorChecks(db, missing).find(({ asks }) => asks.startsWith('each chain'));
    expect(await check?.findings()).toEqual([`${late} has no running workflow`]);
    await db.query('delete from outbox');
    await db.query('delete from agenda where contract_id = any($1::text[])', [[late, waits]]);
  });

  it('doctor names a clock without a workflow, and a clock that stopped with its reason', async () => {
    await db.query(`insert into vendor (id, name, created, invoicing, payment_threshold) values ('Wbc_1', 'Acme', now(), '{}', '{}')`);
    await db.query(
      `insert into test_clock (id, vendor_id, created, now, target, moved_at, status, reason) values
       ('Clock_1', 'Wbc_1', now(), '2025-01-01Z', '2025-02-01Z', now(), 'advancing', null),
       ('Clock_2', 'Wbc_1', now(), '2025-01-02Z', null, now(), 'failed', 'a price without a number'),
       ('Clock_3', 'Wbc_1', now(), '2025-01-03Z', null, null, 'ready', null),
       ('Clock_4', 'Wbc_1', now(), '2025-01-04Z', '2025-02-01Z', now() - interval '6 minutes', 'advancing', null)`,
    );
    const { code, stdout } = await cli('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'BAD  each test clock that was sent gets on\n' +
        '       Clock_1 has no running workflow\n' +
        '       Clock_2 stopped at 2025-01-02T00:00:00.000Z: a price without a number\n' +
        '       Clock_4 has no running workflow\n' +
        '     → ',
    );
    const check = doctorChecks(db, async () => []).find(({ asks }) => asks.includes('clock'));
    expect(await check?.findings()).toEqual([
      'Clock_2 stopped at 2025-01-02T00:00:00.000Z: a price without a number',
      'Clock_4 has stood at 2025-01-04T00:00:00.000Z for 6 minutes',
    ]);
    await db.query(`delete from test_clock where vendor_id = $1`, ['Wbc_1']);
  });

  it('doctor names a message that has waited for more than a minute, and an endpoint for more than 30; none that has waited less', async () => {
    await db.query(`insert into outbox (kind, workflow_id, next_try) values
      ('contract', 'Cont_old', now() - interval '61 seconds'), ('contract', 'Cont_young', now() - interval '30 seconds')`);
    await db.query(`insert into webhook_endpoint (id, vendor_id, created, url, types, secret, read_seq)
      select 'Hook_' || minutes, 'Wbc_1', now(), 'https://example.com', '{}', 'x', 0 from unnest(array[29, 31]) minutes`);
    await db.query(`insert into webhook_backlog (endpoint_id, lane, object_id, event_seq, object_sequence, failing_since, next_try)
      select 'Hook_' || minutes, 'Cust_1', 'Cust_1', 1, 1, now() - make_interval(mins => minutes), now() from unnest(array[29, 31]) minutes`);
    const found = (asks: string) =>
      doctorChecks(db, async () => [])
        .find((check) => check.asks.startsWith(asks))
        ?.findings();
    expect(await found('every message')).toEqual(['contract of Cont_old, tried 0 times']);
    expect(await found('each webhook')).toEqual([expect.stringMatching(/^Hook_31 has waited for an event for 3\d minutes$/)]);
    await db.query('delete from outbox');
    await db.query('delete from webhook_backlog');
    await db.query('delete from webhook_endpoint');
  });

  it('doctor says where there are more findings than the hundred that it names', async () => {
    const findings = async (count: number) => {
      await db.query(
        `insert into outbox (kind, workflow_id, next_try) select 'contract', 'Cont_' || n, now() - interval '2 minutes' from generate_series(1, $1) n`,
        [count],
      );
      const found = await doctorChecks(db, async () => [])
        .find(({ asks }) => asks.startsWith('every message'))
        ?.findings();
      await db.query('delete from outbox');
      return [found?.length, found?.at(-1)];
    };
    expect(await findings(100)).toEqual([100, expect.stringMatching(/^contract of /)]);
    expect(await findings(101)).toEqual([101, 'and more: these are the first 100']);
  });

  it('doctor names a period whose usage total is not the sum of its events', async () => {
    await db.query(
      `insert into usage_period (contract_id, idx, start_at, usage_from, status, closed_at) values
       ('Cont_2', 1, '2025-01-01Z', '2025-01-01Z', 'open', null), ('Cont_2', 2, '2025-02-01Z', '2025-02-01Z', 'closed', now()),
       ('Cont_3', 1, '2025-01-01Z', '2025-01-01Z', 'open', null), ('Cont_5', 1, '2025-01-01Z', '2025-01-01Z', 'open', null), ('Cont_4', 1, '2025-01-01Z', '2025-01-01Z', 'closed', '2025-02-01Z')`,
    );
    await db.query(
      `insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
       select 'Evt_' || c || i, 'Wbc_1', 'Cust_1', 'Cont_' || c, i, 'calls', 5, '2025-01-10Z', '2025-01-10Z', '{}'
       from generate_series(2, 5) c, generate_series(1, 2) i`,
    );
    await db.query(
      `insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed, marker) values
       ('Cont_2', 1, 'calls', 5, 1, 5, 1, 1, null), ('Cont_2', 2, 'calls', 4, 1, 4, 1, 1, 1), ('Cont_3', 1, 'seats', 1, 1, 1, 1, 1, null),
       ('Cont_5', 1, 'calls', 5, 1, 5, 1, 2, null)`,
    );
    const check = doctorChecks(db, async () => []).find(({ asks }) => asks.startsWith('usage totals'));
    expect(await check?.findings()).toEqual([
      'calls in period 2 of Cont_2: 4 in 1 of 1 events, marker 1, its events come to 5 in 1 of 1 events',
      'calls in period 1 of Cont_3: 0 in 0 of 0 events, its events come to 5 in 1 of 1 events',
      'seats in period 1 of Cont_3: 1 in 1 of 1 events, its events come to 0 in 0 of 0 events',
      'calls in period 1 of Cont_5: 5 in 1 of 2 events, its events come to 5 in 1 of 1 events',
    ]);
    await db.query(`delete from usage_event`);
    await db.query(`delete from usage_counter`);
    await db.query(`delete from usage_period`);
  });

  it('doctor names a count that does not go on from the part before, and a kept count of a list', async () => {
    const findings = async (check: string) =>
      doctorChecks(db, async () => [])
        .find(({ asks }) => asks.startsWith(check))
        ?.findings();
    await db.query(
      `insert into usage_period (contract_id, idx, start_at, usage_from, follows_contract_id, follows_idx, goes_on) values
       ('Cont_2', 1, '2025-01-01Z', '2025-01-01Z', null, null, '["feature:calls"]'),
       ('Cont_3', 1, '2025-01-01Z', '2025-01-10Z', 'Cont_2', 1, '[]'), ('Cont_4', 4, '2025-01-01Z', '2025-01-20Z', 'Cont_3', 1, '[]')`,
    );
    await db.query(
      `insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, marker) values
       ('Cont_2', 1, 'calls', 5, 2, 5, 2, null), ('Cont_3', 1, 'calls', 9, 3, 3, 1, null), ('Cont_4', 4, 'calls', 10, 1, 4, 1, 2),
       ('Cont_2', 1, 'data', 1, 1, 1, 1, null), ('Cont_3', 1, 'data', 1, 0, 0, 0, null), ('Cont_4', 4, 'data', 1, 1, 0, 0, null),
       ('Cont_3', 1, 'late', 7, 2, 7, 2, null), ('Cont_4', 4, 'late', 7, 0, 0, 0, null)`,
    );
    expect(await findings('counts of billing periods')).toEqual([
      'calls in period 1 of Cont_3: 9 in 3 events, its parts come to 8 in 3 events',
      'data in period 4 of Cont_4: 1 in 1 events, its parts come to 1 in 0 events',
    ]);
    expect(await findings('kept counts of lists')).toEqual([]);
    await db.query(
      `insert into list_count (vendor_id, list, part, n) values ('Wbc_1', 'usage_event', 'calls', 2), ('Wbc_1', 'event', 'x', 1)`,
    );
    await db.query(`insert into list_count_change (vendor_id, list, part, n) values ('Wbc_1', 'event', 'x', -1)`);
    await db.query(`insert into list_count_change (vendor_id, list, part, n) values ('Wbc_1', 'contract_of_plan', 'Plan_1 active', 3)`);
    await db.query(
      `insert into customer_by_plan_change (vendor_id, list, part, customer_id, n) values ('Wbc_1', 'customer_of_plan', 'Plan_1', 'Cust_1', 3)`,
    );
    expect(await findings('kept counts of lists')).toEqual([
      'usage_event calls of Wbc_1: 2 are kept, there are 0',
      'contract_of_plan Plan_1 active of Wbc_1: 3 are kept, there are 0',
      'customer_of_plan Plan_1 of Wbc_1: 1 are kept, there are 0',
    ]);
    for (const table of ['usage_counter', 'usage_period', 'list_count', 'list_count_change', 'customer_by_plan_change'])
      await db.query(`delete from ${table}`);
  });

  it('reconcile --dry-run names missing workflows and starts none', async () => {
    const { code, stdout } = await cli('reconcile', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('1 workflow of kind contract would be signalled, 1 of them started\n  Cont_1\n');
    expect(stdout).toContain('0 workflows of kind clock would be signalled, 0 of them started\n');
    expect(await resultOf('reconcile', '--dry-run')).toMatchObject({
      dry_run: true,
      search_attributes: [],
      needed: expect.arrayContaining([{ kind: 'contract', count: 1, missing: ['Cont_1'] }]),
    });
    expect(await running()).toEqual([]);
  });

  it('reconcile starts the missing workflow, and then none is missing', async () => {
    expect((await cli('reconcile')).stdout).toContain('1 workflow of kind contract was signalled, and started where it did not run\n');
    await eventually(async () => expect(await running()).toEqual(['Cont_1']));
    expect(await resultOf('reconcile', '--dry-run')).toMatchObject({
      needed: expect.arrayContaining([{ kind: 'contract', count: 1, missing: [] }]),
    });
    expect(await resultOf('reconcile')).toMatchObject({
      dry_run: false,
      signalled: expect.arrayContaining([{ kind: 'contract', count: 1 }]),
    });
    expect(await running()).toEqual(['Cont_1']);
  });

  it('reconcile --restart puts a new run in the place of the old one, and of none that began later than it is given', async () => {
    const run = async () =>
      (await temporal.connection.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId: 'Cont_1' } }))
        .workflowExecutionInfo?.execution?.runId;
    const first = await run();
    const { code, stdout } = await cli('reconcile', '--restart');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Runs of contracts from before \S+Z get a new run\. To go on where this breaks off: reconcile --restart \S+Z\n/,
    );
    expect(stdout).toContain('\n1 workflow of kind contract has a new run\n');
    const second = await run();
    expect(second).not.toBe(first);
    const longAgo = '2020-01-01T00:00:00.000Z';
    await eventually(async () =>
      expect(await resultOf('reconcile', '--restart', longAgo)).toMatchObject({ restarted: { before: longAgo, count: 0 } }),
    );
    expect((await cli('reconcile', '--restart', longAgo, '--json')).stderr).toMatch(
      new RegExp(`To go on where this breaks off: reconcile --restart ${longAgo}$`, 'm'),
    );
    expect(await run()).toBe(second);
    expect((await cli('reconcile', '--restart', 'yesterday')).code).toBe(2);
    expect((await cli('reconcile', '--restart', '--dry-run')).code).toBe(2);
  });
});

async function running(): Promise<string[]> {
  const { executions } = await temporal.connection.workflowService.listWorkflowExecutions({
    namespace,
    query: `ExecutionStatus = 'Running'`,
  });
  return (executions ?? []).map(({ execution }) => execution?.workflowId ?? '');
}
