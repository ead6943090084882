import { columnsOf, type EntityColumn, type ValuesOf } from './entity-columns.ts';

/** An entity's columns as SQL selects them, and the value that a selected row stands for. */
export interface Projection<V> {
  /** @param alias of the table in the statement */
  columns(alias: string): string;
  read(row: object): V;
}

type Values = Record<string, unknown>;

/**
 * Reads an entity by SQL without a mapping of its own: the names come from `db/entities`, the pool parses the values.
 * Made for what is read so often that entities of the manager would cost too much.
 *
 * @param without properties that no reader of this projection needs
 */
export function projection<E, K extends keyof ValuesOf<E> & string = never>(
  entity: E,
  without: readonly K[] = [],
): Projection<Omit<ValuesOf<E>, K>> {
  const columns = columnsOf(entity).filter(({ property }) => !without.includes(property as K));
  const plain = columns.filter(({ inner }) => inner === null).map(({ property }) => property);
  const embedded = [
    ...Map.groupBy(
      columns.filter(({ inner }) => inner !== null),
      ({ property }) => property,
    ),
  ];
  return {
    columns: (alias) => columns.map((column) => `${alias}.${column.name} as "${selectedAs(column)}"`).join(', '),
    read: (given) => {
      const row = given as Values;
      const value: Values = {};
      for (const property of plain) value[property] = row[property];
      for (const [property, inner] of embedded) value[property] = embeddedOf(row, inner);
      return value as Omit<ValuesOf<E>, K>;
    },
  };
}

const selectedAs = ({ property, inner }: EntityColumn): string => (inner === null ? property : `${property}.${inner}`);

/** The embedded value as MikroORM reads it: null when all of its columns are null. */
function embeddedOf(row: Values, columns: readonly EntityColumn[]): Values | null {
  const value: Values = {};
  let isThere = false;
  for (const column of columns) {
    const inner = row[selectedAs(column)];
    isThere ||= inner !== null;
    value[column.inner as string] = inner;
  }
  return isThere ? value : null;
}
