import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTestDatabase } from '../support/database.ts';

const DECISION = join(import.meta.dirname, '..', '..', 'docs', 'decisions', 'persistence-mikroorm.md');

/** Tables, or single columns as `table.column`, that the decision lists with the price or the reason. */
function listed(): string[] {
  const [, section = ''] = readFileSync(DECISION, 'utf8').split('## Tables without foreign keys');
  const [page = ''] = section.split('\n## ');
  const tables = page.split('\n').filter((line) => line.startsWith('| `'));
  return tables.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}

/** Ids that others give: a tax office, a payment provider. */
const OF_OTHERS = new Set(['customer.vat_id', 'payment_session.connected_account_id']);

/** Columns that name a row of another table, and whether a foreign key says so. */
const COLUMNS = `
  select c.table_name as "table", c.column_name as "column", exists (
    select from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
    where k.contype = 'f' and k.conrelid = format('%I.%I', c.table_schema, c.table_name)::regclass and a.attname = c.column_name
  ) as "hasKey"
  from information_schema.columns c
  join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
  join pg_class r on r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and not r.relispartition
  where c.table_schema = 'public' and c.column_name like '%\\_id'`;

it('every column that names another row has a foreign key, or the decision lists its table', async () => {
  const columns = await withTestDatabase((db) => db.query<{ table: string; column: string; hasKey: boolean }>(COLUMNS));
  const names = new Set(listed());
  const isListed = ({ table, column }: { table: string; column: string }) =>
    OF_OTHERS.has(`${table}.${column}`) || names.has(table) || names.has(`${table}.${column}`);
  expect(columns.filter(({ hasKey }) => hasKey).length).toBeGreaterThan(30);
  expect(columns.filter((one) => !one.hasKey && !isListed(one)).map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

it('the decision lists no table whose columns all have foreign keys', async () => {
  const columns = await withTestDatabase((db) => db.query<{ table: string; column: string; hasKey: boolean }>(COLUMNS));
  const complete = columns.filter(({ hasKey }) => hasKey).map(({ table, column }) => `${table}.${column}`);
  const tables = Map.groupBy(columns, ({ table }) => table);
  const needless = listed().filter((name) => complete.includes(name) || tables.get(name)?.every(({ hasKey }) => hasKey) === true);
  expect(needless).toEqual([]);
});
