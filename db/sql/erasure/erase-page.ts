import type { Queryable } from '../../connect.ts';
import { together } from '../../together.ts';
import type { ErasedTable } from './table.ts';

/** Where the rows of a page end, as text; null: the table begins. */
export type PageEnd = readonly string[] | null;

type Becomes = Exclude<ErasedTable['becomes'], null>;

const changed = (table: string, becomes: Becomes, which: string): string => {
  if (becomes === 'deleted') return `delete from ${table} t ${which.replace('from page', 'using page')}`;
  const sets = Object.entries(becomes).map(([column, value]) => `${column} = ${value}`);
  return `update ${table} t set ${sets.join(', ')} ${which}`;
};

/**
 * Erases the next rows of a table that belong to a customer, and those of other tables that go with them. SQL: which
 * table it is, which of its columns are replaced and by what, is data, and a page of it is one statement.
 *
 * @returns where the page ends; null: it was the last one
 */
export async function erasePage(tx: Queryable, erased: ErasedTable, customerId: string, after: PageEnd, most: number): Promise<PageEnd> {
  const { table, of, order, becomes, following = [] } = erased;
  const columns = order.map(([column]) => `t.${column}`);
  const beyond = after === null ? '' : `and (${columns}) > (${order.map(([, type], index) => `$${index + 2}::${type}`)})`;
  const page = `select ${order.map(([column]) => `t.${column}`)} from ${table} t where ${of} ${beyond} order by ${columns} limit ${most}`;
  const same = order.map(([column]) => `t.${column} = page.${column}`).join(' and ');
  const change = becomes === null ? '' : `, changed as (${changed(table, becomes, `from page where ${same}`)})`;
  const places = order.map(([column]) => `page.${column}::text as ${column}`);
  const parameters = [customerId, ...(after ?? [])];
  const rows = await tx.query<Record<string, string>>(
    `with page as (${page})${change} select ${places} from page order by ${order.map(([column]) => `page.${column}`)}`,
    parameters,
  );
  const ids = rows.map((row) => row[order.at(-1)?.[0] ?? ''] ?? '');
  await together(
    tx,
    following.map((one) => () => tx.query(changed(one.table, one.becomes, `where t.${one.by} = any($1::text[])`), [ids])),
  );
  const last = rows.at(-1);
  return rows.length < most || last === undefined ? null : order.map(([column]) => last[column] ?? '');
}
