import { actsForAll } from './all-vendors.ts';
import { unownedEntities } from './entity-rows.ts';
import { importsOf, read, sourceFiles } from './sources.ts';
import { unownedTables } from './sql-scopes.ts';
import { sqlTextsIn } from './sql-texts.ts';

const LAST = 'test/last/';
/** What gives a test a Postgres, or a database, of its own: no other test's rows are in it. */
const OF_ITS_OWN = /^(test\/support\/own-(stack|database)|local-stack\/postgres)\.ts$/;
/** What a test may call beside others though it acts for all vendors, with why that harms none of them. */
const HARMLESS: Readonly<Record<string, string>> = {
  'activities/index.ts': 'activities of workers with a task queue of their own',
  'cli/doctor-checks.ts': 'reads',
  'db/health/contracts.ts': 'reads',
  'db/migrate.ts': 'makes the tables of a database, which the shared one has',
  'db/sql/agenda/overdue-workflows.ts': 'reads',
  'db/sql/agenda/read-overdue.ts': 'reads',
  'db/sql/contract/chain-schedule.ts': 'reads a chain, beside the number of those that are due with it',
  'db/sql/event/settle.ts': 'raises a number as every reader of a log does',
  'db/sql/figure/add-up.ts': 'adds up sums as the worker does all the time: no reader sees a difference',
  'db/sql/ledger/check.ts': 'reads, for the vendor that it is given',
  'db/sql/ledger/grant-checks.ts': 'a part of it',
  'db/sql/list/add-up-changes.ts': 'adds up counts as the worker does all the time: no reader sees a difference',
  'db/sql/list/add-up-customers.ts': 'adds up counts as the worker does all the time: no reader sees a difference',
  'services/agenda/send-reminders.ts': 'sends reminders that are due, once, as the worker does all the time',
  'services/agenda/signal-overdue.ts': 'enqueues messages for what is a minute late, as the worker does all the time',
  'services/clock/step.ts': 'moves the one clock that it is given',
  'services/webhook/settled.ts': 'raises that number too',
  'temporal/dispatcher.ts': 'sends what is committed with it; `sendDue`, which leases the rest too, is refused',
  'temporal/schedule.ts': 'reads',
  'temporal/start.ts': 'reads',
};
const SESSIONS = /\bpg_(stat_activity|locks)\b/;

const isAlone = (path: string): boolean =>
  importsOf(path).some(({ to, typeOnly }) => !typeOnly && (OF_ITS_OWN.test(to) || (to.startsWith('test/') && isAlone(to))));

const across = actsForAll();
const files = sourceFiles().filter(
  (path) => path.startsWith('test/') && !path.startsWith(LAST) && !/^test\/(billing|house|unit)\//.test(path) && !isAlone(path),
);

/** What a file's SQL reads or changes that may be another test's, each with the statement it is in. */
function strangersIn(source: string): string[] {
  const texts = sqlTextsIn(source);
  const made = texts.flatMap((text) => /^\s*create (?:temporary |temp )?table (?:if not exists )?([\w?]+)/i.exec(text)?.[1] ?? []);
  return texts.flatMap((text) => {
    const tables = unownedTables(text, new Map(made.map((table) => [table, true])));
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
    // an alternative, a negation: all rows but those
    [`select 1 from invoice where id = $1 or provider = 'x'`, 'invoice'],
    ['delete from invoice where id = $1 or true', 'invoice'],
    ['select 1 from invoice i join contract c on c.id = i.contract_id where i.id = $1 or c.status = $2', 'contract'],
    [`select 1 from invoice where date < now() and (id = $1 or (status = 'paid' and vendor_id = $2) or number = 1)`, 'invoice'],
    ['delete from invoice where not id = $1', 'invoice'],
    ['delete from invoice where not (id = $1)', 'invoice'],
    ['delete from invoice where id <> all($1)', 'invoice'],
    ['delete from invoice where id = all($1)', 'invoice'],
    ['delete from invoice where id not in ($1, $2)', 'invoice'],
    ['delete from invoice where id not like $1', 'invoice'],
    ['delete from invoice where (id = $1) is not true', 'invoice'],
    ['delete from invoice where id = $1 is false', 'invoice'],
    ['delete from invoice where (id = $1) = false', 'invoice'],
    ['delete from invoice where coalesce(id = $1, true)', 'invoice'],
    ['delete from invoice where number between 1 and id = $1', 'invoice'],
    // a value that may be any row's own
    ['delete from invoice where id = coalesce($1, id)', 'invoice'],
    [`delete from invoice where id in ($1, 'Inv_1')`, 'invoice'],
    [`delete from invoice where id = 'Inv_1'`, 'invoice'],
    ['delete from invoice where (status, id) = ($1, contract_id)', 'invoice'],
    // a partner of a join that nothing ties to what is owned
    ['select 1 from invoice i, contract c where i.id = $1', 'contract'],
    ['select 1 from invoice i join contract c on true where i.id = $1', 'contract'],
    ['select 1 from invoice i cross join contract c where i.id = $1', 'contract'],
    ['select 1 from invoice i join contract c on c.status = i.status where i.id = $1', 'contract'],
    ['select 1 from invoice i join contract c on i.contract_id = i.id where i.id = $1', 'contract'],
    ['select 1 from invoice i join contract c on c.id <> i.contract_id where i.id = $1', 'contract'],
    ['select 1 from invoice join contract on true where id = $1', 'contract'],
    ['update agenda set held = true from contract c where c.id = $1', 'agenda'],
    ['delete from agenda a using contract c where c.id = $1', 'agenda'],
    ['select 1 from (invoice i join contract c on true) where i.id = $1', '(…)'],
    // an outer join, which keeps the rows of its other side
    ['select 1 from agenda a left join contract c on a.id = $1 and c.id = a.contract_id', 'agenda'],
    ['select 1 from agenda a left join contract c on c.id = $1', 'agenda'],
    ['select 1 from agenda a right join contract c on c.id = a.contract_id and a.id = $1', 'contract'],
    ['select 1 from agenda a full join contract c on c.id = a.contract_id and a.id = $1', 'agenda'],
    // what a statement within gives without saying whose it is
    ['delete from agenda where subject in (select 1)', 'agenda'],
    ['delete from agenda where subject = (select max(id) from contract)', 'agenda'],
    ['delete from agenda where subject in (select id from contract where id = $1 union select id from contract)', 'agenda'],
    ['delete from agenda a where a.subject in (select c.id from contract c where c.id = a.contract_id)', 'agenda'],
    ['with everyone as (select id from vendor) select 1 from everyone e join contract c on c.vendor_id = e.id', 'contract'],
    [`select 1 from unnest(array['Inv_1']) as x(id) join invoice i on i.id = x.id`, 'invoice'],
    ['with event as (select id from event) select 1 from event', 'event'],
    // a comparison that is no condition of the statement
    ['select case when id = $1 then 1 end from invoice', 'invoice'],
    ['select count(*) filter (where id = $1) from invoice', 'invoice'],
    ['select id = $1 from invoice where case when id = $1 then true else true end', 'invoice'],
    ['select 1 from invoice group by id having id = $1', 'invoice'],
    ['select 1 from invoice order by id = $1', 'invoice'],
    [`select 1 from invoice where status = ' and id = $1'`, 'invoice'],
    ['select 1 from invoice -- where id = $1', 'invoice'],
    ['insert into agenda (id) select c.id from contract c on conflict (id) do update set held = true where agenda.id = $1', 'contract'],
    ['select 1 from invoice where id = $1; delete from event', 'event'],
    ['select 1 as from, 2 from invoice', 'invoice'],
    ['truncate table event', 'event'],
    ['update contract as c set held = true', 'contract'],
    ['explain (analyze, costs off) select 1 from invoice', 'invoice'],
    ['begin; delete from invoice', 'invoice'],
    ['-- why\ndelete from invoice', 'invoice'],
    ['/* why */ delete from invoice', 'invoice'],
    ['lock invoice in share mode', 'invoice'],
    ['copy invoice to stdout', 'invoice'],
    ['select 1 from invoice i join invoice j on j.series = i.series where i.id = $1', 'invoice'],
    ['with gone as (merge into contract c using plan p on p.id = $1 when matched then delete) select 1', 'contract'],
    ['merge into contract c using plan p on p.id = $1 when not matched by source then delete', 'contract'],
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
    'select 1 from invoice where (id = $1 or contract_id = $2) and not held',
    'select 1 from credit_grant g join contract c on c.id = g.contract_id where (c.root_id = any($1::text[]) or g.id = any($2::text[])) and g.balance > 0',
    'select 1 from invoice where date between $2 and $3 and $1 = id',
    `select 1 from agenda where workflow_id = 'credits:' || $1 and kind like 'c%'`,
    'select 1 from person where hash = encode(sha256($1::bytea), $2) and id in ($3, $4)',
    'delete from agenda where (kind, subject) = ($1, $2)',
    'delete from agenda where (kind, subject) in (select * from unnest($1::text[], $2::text[]))',
    'select 1 from invoice i, contract c, plan p where p.id = c.plan_id and i.id = $1 and c.id = i.contract_id',
    'select 1 from agenda a left join contract c on c.id = a.contract_id and c.held where a.id = $1',
    'select 1 from contract c right join agenda a on c.id = a.contract_id where a.id = $1',
    'select 1 from unnest($1::text[]) with ordinality as x(id, n) cross join lateral (select * from invoice i where i.contract_id = x.id) y',
    'select 1 from jsonb_to_recordset($1::jsonb) as x(id text) join contract using (id)',
    `update agenda set held = true from contract c, (values ($1, true), ($2, false)) v(id, held) where c.id = v.id and agenda.contract_id = c.id`,
    'delete from agenda a using contract c where c.id = $1 and a.contract_id = c.id',
    `delete from agenda where subject in (select id from contract where id = $1 union select 'c:' || id from contract where root_id = $2)`,
    'with recursive chain as (select id from contract where id = $1 union select c.id from contract c join chain on c.root_id = chain.id) select 1 from chain',
    'with made as (insert into contract (id) values ($1) returning id) update agenda a set held = true from made where a.contract_id = made.id',
    'select p.usage_from as from, p.usage_until as to from usage_period p where p.contract_id = $1',
    'select distinct on (i.kind) i.id from invoice i where i.id = $1 order by i.kind for update of i',
    'insert into wallet as w (id, last) values ($1, (select count(*) from wallet_transaction t where t.wallet_id = w.id)) on conflict do nothing',
    'select 1 from pg_stat_activity where application_name = $1',
    'select 1 from information_schema.columns where column_name = $1',
    'select 1 as one',
  ])('are left alone by: %s', (sql) => {
    expect(tablesIn(sql)).toEqual([]);
  });

  it('are seen in a statement with a part that the file names', () => {
    const using = (name: string) =>
      strangersIn(`const OPEN = 'i.id = $1', ALL = 'true'; db.query(\`select 1 from invoice i where \${${name}}\`)`);
    expect(using('ALL')).toHaveLength(1);
    expect(using('open')).toHaveLength(1);
    expect(using('OPEN')).toEqual([]);
  });

  const withEntities = (call: string): string => `import { Agenda, Invoice } from '../../db/entities/all.ts';\n${call}`;

  it.each([
    "db.em().find(Invoice, { status: 'paid' })",
    "tx.em.findOne(Invoice, { id: 'Inv_1' })",
    'em.count(Invoice)',
    'em.findAll(Invoice, { where: { id } })',
    'em.nativeUpdate(Invoice, {}, { held: true })',
    'em.nativeDelete(Agenda, { $or: [{ id }, { held: true }] })',
    'em.nativeDelete(Agenda, { id: { $ne: id } })',
    'em.nativeDelete(Agenda, { id: { $nin: ids } })',
    'em.nativeDelete(Agenda, { $not: { id } })',
    'rows.createQueryBuilder(Invoice).where({ id })',
    'orm.em.fork().getRepository(Invoice).findAll()',
    'em.find(Invoice, where)',
    'em.find(Invoice as never, {})',
  ])('are seen in: %s', (call) => {
    expect(unownedEntities(withEntities(call)).map(({ line }) => line)).toEqual([2]);
  });

  it.each([
    "tx.em.find(Invoice, { customerId, status: 'paid' })",
    "db.em().nativeDelete(Agenda, { kind: 'payment_answer', subject: token })",
    'em.findOneOrFail(Invoice, { id: { $in: ids } }, { populate })',
    'em.count(Agenda, { subject: `wakes:\u0024{id}` })',
    'em.create(Invoice, row)',
    'found.filter((one) => one instanceof Invoice)',
  ])('are left alone by: %s', (call) => {
    expect(unownedEntities(withEntities(call))).toEqual([]);
  });

  it('are asked for by no test as entities', () => {
    expect(files.filter((path) => read(path).includes('db/entities/')).length).toBeGreaterThan(10);
    expect(files.flatMap((path) => unownedEntities(read(path)).map(({ line, what }) => `${path}:${line}: ${what}`))).toEqual([]);
  });

  it('are left alone by a table that the test makes for itself', () => {
    expect(strangersIn("db.query('create table kept (n int)'); db.query('select * from kept')")).toEqual([]);
  });

  it('are read and changed by no statement of a test', () => {
    expect(files.flatMap((path) => sqlTextsIn(read(path))).length).toBeGreaterThan(100);
    expect(files.flatMap((path) => strangersIn(read(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  });

  it('are left alone by what a test calls: what acts for all vendors does so as the worker beside the tests, or reads', () => {
    const calls = files.flatMap((path) => importsOf(path).filter(({ to, typeOnly }) => !typeOnly && across.has(to)));
    expect(calls.filter(({ to }) => !(to in HARMLESS)).map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
    expect(Object.keys(HARMLESS).filter((path) => !calls.some(({ to }) => to === path))).toEqual([]);
  });

  it.each([
    'temporal/reconcile.ts',
    'services/retention/clean.ts',
    'services/bill-run/bill-batch.ts',
    'services/webhook/notify.ts',
    'db/sql/outbox/lease-due.ts',
    'worker/relay.ts',
  ])('may be reached by %s, which is refused', (path) => {
    expect(across).toContain(path);
    expect(path in HARMLESS).toBe(false);
  });

  it('are not in the messages that a test sends: it leaves those that are due to the worker beside it', () => {
    expect(files.filter((path) => /\bsendDue\b/.test(read(path)))).toEqual([]);
  });

  it('are not in the books that a test checks: it names its vendor', () => {
    expect(files.filter((path) => /\bcheckLedger\(\w+\)/.test(read(path)))).toEqual([]);
  });
});
