import { folderOf, read, sourceFiles } from './sources.ts';
import { sqlIn } from './sql-texts.ts';

/** `db/sql/` has one file a statement; a migration and a look at the state of things are SQL by their nature. */
const OF_SQL = /^db\/(sql|migrations|health)\//;
/** What carries statements to Postgres, and the lock that lets one process migrate at a time. */
const CONNECTION = /^db\/(connect|pool|prepared|read-together|reading-once|statement|transaction|migrate)\.ts$/;
/** The conditions of partial indexes and of checks, which MikroORM takes as SQL. */
const ENTITIES = /^db\/entities\//;
/** The sandbox is another processor, with a book of its own; the local stack makes the role and the database. */
const ELSEWHERE = /^(payments\/sandbox\/|local-stack\/postgres\.ts$)/;
const NO_CODE = new Set(['test', 'bench', 'docs', 'tools', '.ci']);

const STATEMENT = /\.(query|prepared)\s*(<[^()]*>)?\(|\bem\.execute\(|\b(insertRows|upsertRows|updateRows)\s*(<[^()]*>)?\(|\bnew Where\(/g;

/** SQL that a file holds, and statements that it runs. */
const offencesIn = (source: string): string[] => [
  ...sqlIn(source).map((text) => text.trim().replace(/\s+/g, ' ').slice(0, 80)),
  ...[...source.matchAll(STATEMENT)].map(([call]) => call),
];

const code = sourceFiles().filter(
  (path) =>
    path.includes('/') && !NO_CODE.has(folderOf(path)) && ![OF_SQL, CONNECTION, ENTITIES, ELSEWHERE].some((place) => place.test(path)),
);

describe('SQL', () => {
  it('stands in db/sql, in migrations and in checks of health alone', () => {
    expect(code.flatMap((path) => offencesIn(read(path)).map((found) => `${path}: ${found}`))).toEqual([]);
  });

  it('has one exported statement a file, and a sentence why it is SQL', () => {
    const files = sourceFiles().filter((path) => path.startsWith('db/sql/') && /\bdb\.query|\btx\.query|\.prepared\(/.test(read(path)));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((path) => !/\bSQL(:|,\s+because|,\s+as)\s/.test(read(path).replace(/\n \* /g, ' ')))).toEqual([]);
  });

  it('has every statement on the closed list of the decision', () => {
    const list = read('docs/decisions/persistence-mikroorm.md');
    const files = sourceFiles().filter((path) => path.startsWith('db/sql/') && /\.(query|prepared)\s*[<(]/.test(read(path)));
    expect(files.filter((path) => path !== 'db/sql/lock.ts' && !list.includes(`\`${path}\``))).toEqual([]);
  });

  it.each([
    "tx.query('select id from invoice where id = $1', [id])",
    'tx.query<{ id: string }>(`delete from agenda where subject = $1`, [id])',
    "db.prepared('by_id', text, [id])",
    'const COLUMNS = `invoice.id, (select t.now from test_clock t where t.id = invoice.test_clock_id) as now`',
    "const version = 'contract.xmin::text'",
    "tx.em.execute('select 1')",
    "insertRows(tx, 'agenda', rows)",
    "new Where().and('vendor_id = ?', vendorId)",
  ])('is found in %s', (source) => {
    expect(offencesIn(source)).not.toEqual([]);
  });

  it.each([
    "em.find(Invoice, { customerId, status: 'paid' }, { orderBy: { date: 'desc' } })",
    "em.nativeDelete(Agenda, { kind: 'payment_answer', subject })",
    "throw new Error('with a plan and its prices')",
    "throw new Refusal('invoice_state', 'the invoice is not validated')",
  ])('is not seen in %s', (source) => {
    expect(offencesIn(source)).toEqual([]);
  });
});
