import { p, Type } from '@mikro-orm/core';
import type { Instant } from '../../billing/calendar/instant.ts';
import { stampOrNull } from '../rows.ts';

/**
 * Instants are epoch milliseconds everywhere in the code and `timestamptz(3)` in Postgres. The pool already parses them
 * to numbers.
 */
export class InstantType extends Type<Instant | null, string | number | null> {
  override convertToDatabaseValue(value: Instant | null): string | null {
    return stampOrNull(value);
  }
  override convertToJSValue(value: string | number | null): Instant | null {
    return typeof value === 'string' ? Date.parse(value) : value;
  }
  override getColumnType(): string {
    return 'timestamptz(3)';
  }
  override compareAsType(): string {
    return 'string';
  }
}

export const id = () => p.text().primary();
export const textColumn = () => p.text();
/** Text of a closed set of words. */
export const oneOf = <T extends string>() => p.text().$type<T>();
export const bytes = () => p.blob();
export const textArray = () => p.array<string>().columnType('text[]');
export const flag = () => p.boolean();
export const whole = () => p.integer();
/** bigint as text: sequences never pass through a float. */
export const big = () => p.bigint('string');
/**
 * The transaction that wrote the row last, which nothing but an export asks for. Postgres sets it: by the default, and
 * by a trigger for each update.
 */
export const writtenBy = () => p.bigint('string').defaultRaw('(pg_current_xact_id())::text::bigint').ignoreSchemaChanges('default').lazy();
/** The index by which an export finds the rows of some transactions. */
export const writtenByIndex = (table: string) => ({
  name: `${table}_xid_index`,
  expression: `create index ${table}_xid_index on ${table} using brin (xid) with (autosummarize = on)`,
});
/**
 * The numbers of a log. Nulls first is the order of no list: in the order of a list Postgres would read one vendor's
 * part of the log through the rows of all, which it takes for cheap where most are that vendor's.
 */
export const seqIndex = (table: string) => ({
  name: `${table}_seq_unique`,
  expression: `create unique index ${table}_seq_unique on ${table} (seq nulls first)`,
});
export const serial = () => p.bigint('string').autoincrement();
/**
 * Decimal text. Without precision and scale Postgres gives back exactly the digits it was given: "50.00" stays "50.00".
 */
export const moneyColumn = () => p.decimal('string').columnType('numeric');
/** An instant. Without the runtime type MikroORM would first make a `Date` of the number. */
export const instant = () => p.type(InstantType).runtimeType('number').$type<Instant>();
/** Keeps the order of its keys, which `jsonb` doesn't, and distinguishes two orders. */
class OrderedJsonType<T> extends Type<T, string | T> {
  override convertToDatabaseValue(value: T): string {
    return JSON.stringify(value);
  }
  override convertToJSValue(value: string | T): T {
    return typeof value === 'string' ? (JSON.parse(value) as T) : value;
  }
  override getColumnType(): string {
    return 'json';
  }
  override compareAsType(): string {
    return 'string';
  }
}

export const orderedJson = <T>() => p.type(OrderedJsonType<T>).$type<T>();
export const json = <T>() => p.json<T>().columnType('jsonb');
/** A column of an embedded value, for an index: MikroORM's schema knows such a path, its types only the property. */
export const inside = <P extends string>(path: `${P}.${string}`): P => path as unknown as P;
