import { p, Type } from '@mikro-orm/core';

/** Instants are epoch milliseconds everywhere in the code and `timestamptz(3)` in Postgres. The pool already parses them to numbers. */
class InstantType extends Type<number, string | number> {
  override convertToDatabaseValue(value: number): string {
    return new Date(value).toISOString();
  }
  override convertToJSValue(value: string | number): number {
    return typeof value === 'number' ? value : Date.parse(value);
  }
  override getColumnType(): string {
    return 'timestamptz(3)';
  }
  override compareAsType(): string {
    return 'any';
  }
  override get runtimeType(): string {
    return 'number';
  }
}

export const id = () => p.text().primary();
export const text = () => p.text();
export const bytes = () => p.blob();
export const textArray = () => p.array<string>().columnType('text[]');
export const flag = () => p.boolean();
export const whole = () => p.integer();
/** bigint as text: sequences never pass through a float. */
export const big = () => p.bigint('string');
export const serial = () => p.bigint('string').autoincrement();
/** Decimal text. Without precision and scale Postgres gives back exactly the digits it was given: "50.00" stays "50.00". */
export const money = () => p.decimal('string').columnType('numeric');
export const instant = () => p.type(InstantType);
export const json = <T>() => p.json<T>().columnType('jsonb');
