import { EntitySchema, type InferEntity, UnderscoreNamingStrategy } from '@mikro-orm/core';
import { InstantType } from '../entities/columns.ts';

/**
 * The values of an entity by the names of its properties, embedded ones as objects: what `em.find` returns, as a plain
 * object.
 */
export type ValuesOf<E> = { [K in keyof InferEntity<E> as K extends string ? K : never]: InferEntity<E>[K] };

/** A column and the value it stands for. */
export interface EntityColumn {
  name: string;
  property: string;
  /** the field of an embedded value */
  inner: string | null;
  isInstant: boolean;
  isKey: boolean;
}

interface Field {
  kind?: string;
  type?: unknown;
  fieldName?: string;
  joinColumn?: string;
  prefix?: string;
  primary?: boolean;
  entity?: unknown;
}

const naming = new UnderscoreNamingStrategy();

/**
 * The columns of an entity as it is declared in `db/entities`, for statements that are made once for all rows: nothing
 * has to be connected.
 */
export function columnsOf(entity: unknown): EntityColumn[] {
  return Object.entries(fieldsOf(entity)).flatMap(([property, field]): EntityColumn[] => {
    const { kind, entity: target, prefix = '' } = field;
    if (kind !== 'embedded') return [{ ...columnOf(property, field), property, inner: null }];
    return Object.entries(fieldsOf(target)).map(([inner, own]) => {
      const { name, ...rest } = columnOf(inner, own);
      return { ...rest, name: `${prefix}${name}`, property, inner };
    });
  });
}

export function tableOf(entity: unknown): string {
  return schemaOf(entity).meta.tableName;
}

function columnOf(property: string, { fieldName, joinColumn, type, primary }: Field): Pick<EntityColumn, 'name' | 'isInstant' | 'isKey'> {
  const name = fieldName ?? joinColumn ?? naming.propertyToColumnName(property);
  return { name, isInstant: type === InstantType, isKey: primary === true };
}

function fieldsOf(given: unknown): Record<string, Field> {
  return schemaOf(given).meta.properties as Record<string, Field>;
}

/** Relations and embedded values name their entity by a function. */
function schemaOf(given: unknown): EntitySchema {
  const entity = given instanceof Function ? given() : given;
  if (!(entity instanceof EntitySchema)) throw new Error('columns are those of an entity');
  return entity;
}
