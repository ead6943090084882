import { migrations } from '../../db/migrations/index.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { checkMigration, type MigrationProblem, stepsOf } from '../support/migration-check.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const ROWS = 1_000;

let own: OwnDatabase;
beforeAll(async () => {
  own = await ownDatabase();
  const { db } = own;
  const { vendorId } = await createVendor(db, 'Large');
  const plan = flatPlan('10.00');
  await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Ada', status: 'active' as const };
  const contract = await db.transaction(async (tx) => {
    await insertCustomer(tx, customer, Date.now());
    return signContract(tx, signInput(vendorId, customer.id, plan.id));
  });
  await copies('customer', customer.id, `'id', 'Cust_' || n`);
  await copies('contract', contract, `'id', 'Cont_' || n, 'root_id', 'Cont_' || n, 'customer_id', 'Cust_' || n`);
});

/** Rows like the one given, with other ids. */
const copies = (table: string, id: string, ids: string): Promise<unknown> =>
  own.db.query(
    `insert into ${table} select (jsonb_populate_record(row, jsonb_build_object(${ids}))).* from ${table} row, generate_series(2, ${ROWS}) n where row.id = $1`,
    [id],
  );

afterAll(() => own.drop());

const check = (statements: readonly string[], inTransaction = true): Promise<MigrationProblem[]> =>
  checkMigration(own.databaseUrl, { statements, inTransaction });
const problems = async (...statements: string[]): Promise<string[]> => (await check(statements)).map(({ problem }) => problem);
const SHORT = `set local lock_timeout = '1s'`;

describe(`a migration of a database with ${ROWS} customers and contracts`, () => {
  it('is every one beyond the first, and has no problem', async () => {
    const [first, ...later] = migrations;
    expect(first?.name).toBe('0001-initial');
    const [count] = await own.db.query<{ customers: number; contracts: number }>(
      'select (select count(*)::int from customer) as customers, (select count(*)::int from contract) as contracts',
    );
    expect(count).toEqual({ customers: ROWS, contracts: ROWS });
    for (const migration of later)
      expect({ name: migration.name, problems: await checkMigration(own.databaseUrl, await stepsOf(own.db, migration.class)) }).toEqual({
        name: migration.name,
        problems: [],
      });
  });

  it('is read from its class', async () => {
    const { statements, inTransaction } = await stepsOf(own.db, migrations[0]?.class as never);
    expect(inTransaction).toBe(true);
    expect(statements.filter((statement) => /create table/i.test(statement)).length).toBeGreaterThan(20);
  });
});

describe('a harmless migration', () => {
  it('makes a table and its index, adds a column with a constant default and a constraint that is checked later', async () => {
    expect(
      await problems(
        'create table good_note (id text primary key, customer text)',
        'create index good_note_customer on good_note (customer)',
        SHORT,
        `alter table customer add column good_level int not null default 1`,
        'alter table customer add constraint good_level_positive check (good_level > 0) not valid',
      ),
    ).toEqual([]);
    expect(await problems('alter table customer validate constraint good_level_positive')).toEqual([]);
  });

  it('makes the index of a large table beside its writers', async () => {
    expect(await check(['create index concurrently good_name on customer (name)'], false)).toEqual([]);
    expect(await check([`set lock_timeout = '500ms'`, 'alter table customer add column good_other text'], false)).toEqual([]);
  });

  it('waits at most a second for a table that a new one refers to', async () => {
    expect(await problems(SHORT, 'create table good_child (vendor_id text references vendor (id))')).toEqual([]);
  });
});

describe('a harmful migration is found', () => {
  it('that writes a table and its indexes again', async () => {
    const found = await problems(SHORT, 'alter table customer add column bad_random double precision not null default random()');
    expect(found).toContain('writes customer again');
    expect(found).toContain('writes customer_pkey again');
    expect(await problems(SHORT, 'alter table customer alter column bad_random type text')).toContain('writes customer again');
  });

  it('that waits without end, or too long, for a lock that blocks others', async () => {
    const waits = (name: string) => `locks ${name} and would wait without end for it`;
    expect(await problems('alter table customer add column bad_waits text')).toEqual([waits('customer')]);
    expect(await problems('create index bad_name on contract (status)')).toEqual([waits('contract')]);
    expect(await problems(`set local lock_timeout = '2s'`, 'alter table customer add column bad_too_long text')).toEqual([
      waits('customer'),
    ]);
    expect(await problems('create table bad_child (vendor_id text references vendor (id))')).toEqual([waits('vendor')]);
    expect(await check(['alter table customer add column bad_alone text'], false)).toEqual([
      { statement: 'alter table customer add column bad_alone text', problem: waits('customer') },
    ]);
  });

  it('that cannot be carried out on a table with rows', async () => {
    await expect(problems(SHORT, 'alter table customer add column bad_required text not null')).rejects.toThrow('contains null values');
  });
});
