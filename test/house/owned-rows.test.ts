import { importsOf, read, sourceFiles } from './sources.ts';
import { unownedTables } from './sql-scopes.ts';
import { sqlTextsIn } from './sql-texts.ts';

const LAST = 'test/last/';
/** What gives a test a Postgres, or a database, of its own: no other test's rows are in it. */
const OF_ITS_OWN = /^(test\/support\/own-(stack|database)|local-stack\/postgres)\.ts$/;
/** What acts for all vendors as the worker beside the tests doesn't all the time: it signals workflows, or deletes. */
const FOR_ALL = /^(temporal\/reconcile|services\/retention\/clean)\.ts$/;
const SESSIONS = /\bpg_(stat_activity|locks)\b/;

const isAlone = (path: string): boolean =>
  importsOf(path).some(({ to, typeOnly }) => !typeOnly && (OF_ITS_OWN.test(to) || (to.startsWith('test/') && isAlone(to))));

const files = sourceFiles().filter(
  (path) => path.startsWith('test/') && !path.startsWith(LAST) && !/^test\/(billing|house|unit)\//.test(path) && !isAlone(path),
);

/** What a file's SQL reads or changes that may be another test's, each with the statement it is in. */
function strangersIn(source: string): string[] {
  const texts = sqlTextsIn(source);
  const made = new Set(texts.flatMap((text) => /^\s*create (?:temporary |temp )?table (?:if not exists )?([\w?]+)/i.exec(text)?.[1] ?? []));
  return texts.flatMap((text) => {
    const tables = unownedTables(text).filter((table) => !made.has(table));
    if (SESSIONS.test(text) && !/\$\d/.test(text)) tables.push('sessions');
    return tables.map((table) => `${table}: ${text.trim().replace(/\s+/g, ' ')}`);
  });
}

const tablesIn = (sql: string): string[] => strangersIn(`db.query(\`${sql}\`)`).map((found) => found.split(':')[0] ?? '');

describe('the rows of other tests', () => {
  it.each([
    [`update payment_attempt set provider = 'sandbox' where provider = 'cardproc'`, 'payment_attempt'],
    ['update contract set plan_id = $1', 'contract'],
    [`delete from wish where workflow_id like 'forget %'`, 'wish'],
    ['select count(*) from invoice', 'invoice'],
    [`select 1 from invoice i where not exists (select 1 from payment_attempt a where a.invoice_id = i.id)`, 'invoice'],
    ['select id from contract where vendor_id = $1 union select id from test_clock', 'test_clock'],
    [`with old as (select id from event where created < now()) delete from event where id in (select id from old)`, 'event'],
    ['select 1 from agenda a join contract c on c.id = a.contract_id where a.due_at < now()', 'agenda'],
    ['insert into agenda (id) select id from contract', 'contract'],
    ['select a.id from agenda a where a.id = (select max(id) from invoice) and extract(epoch from a.due_at) > 0', 'invoice'],
    ['truncate table event', 'event'],
    ['lock table contract in share mode', 'contract'],
    [`select 1 from pg_stat_activity where wait_event_type = 'Lock'`, 'sessions'],
  ])('are seen in: %s', (sql, table) => {
    expect(tablesIn(sql)).toContain(table);
  });

  it.each([
    'update ? set provider = $2 where customer_id = $1',
    'select 1 from invoice where id = any($1::text[]) and date is distinct from $2',
    'select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.invoice_id = $1',
    'select (select count(*) from usage_event e where e.contract_id = c.id) from contract c where c.customer_id = $1 for update',
    'update agenda set due_at = $2 where id = (select min(id) from agenda where test_clock_id = $1)',
    'with mine as (select id from contract where vendor_id = $1) select 1 from mine join agenda a on a.contract_id = mine.id',
    'insert into contract select c.* from contract c, generate_series(1, $2::int) n where c.id = $1',
    `insert into sandbox_setup (reference, choice) values ($1, 'no_such_method')`,
    'select 1 from pg_stat_activity where application_name = $1',
    'select 1 from information_schema.columns where column_name = $1',
    'select 1 as one',
  ])('are left alone by: %s', (sql) => {
    expect(tablesIn(sql)).toEqual([]);
  });

  it('are left alone by a table that the test makes for itself', () => {
    expect(strangersIn("db.query('create table kept (n int)'); db.query('select * from kept')")).toEqual([]);
  });

  it('are read and changed by no statement of a test', () => {
    expect(files.flatMap((path) => sqlTextsIn(read(path))).length).toBeGreaterThan(100);
    expect(files.flatMap((path) => strangersIn(read(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  });

  it('are left alone by what a test calls: nothing acts for all vendors beside others', () => {
    const calls = files.flatMap((path) => importsOf(path).filter(({ to, typeOnly }) => !typeOnly && FOR_ALL.test(to)));
    expect(calls.map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
  });

  it('are not in the books that a test checks: it names its vendor', () => {
    expect(files.filter((path) => /\bcheckLedger\(\w+\)/.test(read(path)))).toEqual([]);
  });
});
