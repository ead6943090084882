import { FREE } from '../../db/sql/erasure/free.ts';
import { ERASED, OF_CUSTOMER } from '../../db/sql/erasure/tables.ts';
import { withTestDatabase } from '../support/database.ts';

/** Columns that can hold what somebody has written. */
const WRITABLE = `
  select c.table_name as "table", c.column_name as "column"
  from information_schema.columns c
  join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
  join pg_class r on r.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and not r.relispartition
  where c.table_schema = 'public' and c.table_name <> 'migration' and c.data_type in ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')`;

interface Column {
  table: string;
  column: string;
}

const nameOf = ({ table, column }: Column): string => `${table}.${column}`;

const free = Object.entries(FREE).flatMap(([table, columns]) => columns.split(' ').map((column) => nameOf({ table, column })));

/** What is erased, and the tables whose rows go as a whole. */
function erased(): { columns: string[]; tables: string[] } {
  const parts = ERASED.flatMap(({ table, becomes, following = [] }) => [{ table, becomes }, ...following]);
  const columns = parts.flatMap(({ table, becomes }) =>
    becomes === null || becomes === 'deleted' ? [] : Object.keys(becomes).map((column) => nameOf({ table, column })),
  );
  const ofCustomer = OF_CUSTOMER.map((column) => nameOf({ table: 'customer', column }));
  return { columns: [...columns, ...ofCustomer], tables: parts.flatMap(({ table, becomes }) => (becomes === 'deleted' ? [table] : [])) };
}

describe('what can hold something personal', () => {
  it('is erased with its customer, or declared free of it, column by column', async () => {
    const { columns, tables } = erased();
    const known = new Set([...free, ...columns]);
    const all = await withTestDatabase((db) => db.query<Column>(WRITABLE));
    expect(all.length).toBeGreaterThan(250);
    expect(all.filter((one) => !tables.includes(one.table) && !known.has(nameOf(one))).map(nameOf)).toEqual([]);
    const there = new Set(all.map(nameOf));
    expect([...known].filter((one) => !there.has(one))).toEqual([]);
    expect(columns.filter((one) => free.includes(one))).toEqual([]);
  });
});
