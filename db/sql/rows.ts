import type { Queryable, Row } from '../connect.ts';

/**
 * Inserts rows of one shape in one statement. SQL, because an array of one costs the same as a plain insert, and a
 * thousand rows one round trip. Column names are the keys of the first row; values are text, numbers, booleans, null or
 * plain JSON.
 *
 * @param tail what follows the insert: `on conflict …`, `returning …`
 */
export async function insertRows<R extends object = Row>(tx: Queryable, table: string, rows: readonly Row[], tail = ''): Promise<R[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).map(quoted).join(', ');
  return tx.query<R>(
    `insert into ${quoted(table)} (${columns}) select ${columns} from json_populate_recordset(null::${quoted(table)}, $1::json) ${tail}`,
    [JSON.stringify(rows)],
  );
}

/** Inserts rows, and where the key is taken brings the row to the new values. */
export function upsertRows(tx: Queryable, table: string, key: readonly string[], rows: readonly Row[]): Promise<Row[]> {
  const [first] = rows;
  if (first === undefined) return Promise.resolve([]);
  const sets = Object.keys(first)
    .filter((column) => !key.includes(column))
    .map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
  const tail = `on conflict (${key.map(quoted).join(', ')}) do update set ${sets.join(', ')}`;
  return insertRows(tx, table, rows, tail);
}

/** Updates existing rows in one statement; columns that aren't named stay as they are. */
export async function updateRows(tx: Queryable, table: string, rows: readonly (Row & { id: string })[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const sets = Object.keys(first)
    .filter((column) => column !== 'id')
    .map((column) => `${quoted(column)} = x.${quoted(column)}`);
  await tx.query(
    `update ${quoted(table)} set ${sets.join(', ')}
     from json_populate_recordset(null::${quoted(table)}, $1::json) x where ${quoted(table)}.id = x.id`,
    [JSON.stringify(rows)],
  );
}

const quoted = (name: string): string => `"${name}"`;
