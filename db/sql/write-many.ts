import type { InferEntity, RequiredEntityData } from '@mikro-orm/core';
import type { Queryable, Row } from '../connect.ts';
import { stamp } from '../rows.ts';
import { columnsOf, type EntityColumn, tableOf } from './entity-columns.ts';

/** A row to insert: what has a default or may be null can be left out. */
export type NewRow<E> = RequiredEntityData<InferEntity<E>>;

interface Target {
  table: string;
  columns: readonly EntityColumn[];
}

const targets = new WeakMap<object, Target>();

function targetOf(entity: object): Target {
  const known = targets.get(entity) ?? { table: tableOf(entity), columns: columnsOf(entity) };
  targets.set(entity, known);
  return known;
}

/**
 * Inserts rows of one shape in one statement: one row costs the same as a plain insert, a thousand rows are one
 * parameter. SQL, because `em.insertMany` makes every value a literal of the statement's text (figures:
 * docs/decisions/persistence-mikroorm.md).
 *
 * @param rows all with the properties of the first
 */
export async function insertMany<E extends object>(tx: Queryable, entity: E, rows: readonly NewRow<E>[]): Promise<void> {
  if (rows.length > 0) await write(tx, entity, rows, () => '');
}

/** Inserts the rows whose unique keys are free and leaves out the others. @returns how many were written */
export async function insertNew<E extends object>(tx: Queryable, entity: E, rows: readonly NewRow<E>[]): Promise<number> {
  if (rows.length === 0) return 0;
  return (await write(tx, entity, rows, () => 'on conflict do nothing returning true')).length;
}

/** Inserts rows; one whose primary key is taken gets the new values. Of such a key there is one row at most. */
export async function upsertMany<E extends object>(tx: Queryable, entity: E, rows: readonly NewRow<E>[]): Promise<void> {
  if (rows.length === 0) return;
  await write(tx, entity, rows, (columns) => {
    const [keys, others] = [columns.filter(({ isKey }) => isKey), columns.filter(({ isKey }) => !isKey)];
    return `on conflict (${namesOf(keys)}) do update set ${others.map(({ name }) => `"${name}" = excluded."${name}"`).join(', ')}`;
  });
}

/** Updates existing rows by their primary key; properties that aren't given stay as they are. */
export async function updateMany<E extends object>(tx: Queryable, entity: E, rows: readonly Partial<NewRow<E>>[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { table } = targetOf(entity);
  const columns = givenIn(entity, first);
  const sets = columns.filter(({ isKey }) => !isKey).map(({ name }) => `"${name}" = x."${name}"`);
  const same = columns.filter(({ isKey }) => isKey).map(({ name }) => `t."${name}" = x."${name}"`);
  await tx.query(
    `update "${table}" t set ${sets.join(', ')} from json_populate_recordset(null::"${table}", $1::json) x where ${same.join(' and ')}`,
    [jsonOf(columns, rows)],
  );
}

function write(tx: Queryable, entity: object, rows: readonly object[], tail: (columns: readonly EntityColumn[]) => string): Promise<Row[]> {
  const { table } = targetOf(entity);
  const columns = givenIn(entity, rows[0] as object);
  const names = namesOf(columns);
  return tx.query(
    `insert into "${table}" (${names}) select ${names} from json_populate_recordset(null::"${table}", $1::json) ${tail(columns)}`,
    [jsonOf(columns, rows)],
  );
}

/** Rows of one shape as the JSON of one parameter, with their table and columns: for an insert that does more. */
export function rowsAsJson<E extends object>(entity: E, rows: readonly object[]): { table: string; names: string; json: string } {
  const columns = givenIn(entity, rows[0] as object);
  return { table: targetOf(entity).table, names: namesOf(columns), json: jsonOf(columns, rows) };
}

const givenIn = (entity: object, row: object): EntityColumn[] => targetOf(entity).columns.filter(({ property }) => property in row);

const namesOf = (columns: readonly EntityColumn[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

function jsonOf(columns: readonly EntityColumn[], rows: readonly object[]): string {
  return JSON.stringify(
    (rows as readonly Row[]).map((row) => {
      const written: Row = {};
      for (const column of columns) written[column.name] = writtenOf(row, column);
      return written;
    }),
  );
}

function writtenOf(row: Row, { property, inner, isInstant }: EntityColumn): unknown {
  const given = row[property];
  const value = inner === null ? given : ((given as Row | null | undefined)?.[inner] ?? null);
  return isInstant && typeof value === 'number' ? stamp(value) : value;
}
