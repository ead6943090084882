import { parseSync } from '@swc/core';
import { read } from './sources.ts';

const STATEMENT =
  /^\s*(with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\b|select\b.*\bfrom\b|insert\s+into\b|update\s+(only\s+)?[\w".?]+(\s+\w+)?\s+set\b|delete\s+from\b|merge\s+into\b|truncate\b|lock\s+table\b|(alter|drop)\s+table\b|create\s+(temporary\s+|temp\s+)?table\b)/is;

/** What an expression inside a text literal is written as. */
const HOLE = '?';

/** Every SQL statement written as a text literal in a file; what is put into a literal shows as `?`. */
export function sqlTextsOf(path: string): string[] {
  return sqlTextsIn(read(path));
}

export const sqlTextsIn = (source: string): string[] => textsOf(source).filter((text) => STATEMENT.test(text));

/** What only a part of a statement has: a select in parentheses, a cast to a type of Postgres, a `case`. */
const FRAGMENT =
  /\(\s*select\b.*\bfrom\b|::(text|int|bigint|numeric|boolean|jsonb?|timestamptz|xid8)\b|\bcase when\b|\b(is not null|order by \w|for update|skip locked)\b/is;

/** Every text of a source that is SQL, statements and parts of them. */
export const sqlIn = (source: string): string[] => textsOf(source).filter((text) => STATEMENT.test(text) || FRAGMENT.test(text));

function textsOf(source: string): string[] {
  const texts: string[] = [];
  collect(parseSync(source, { syntax: 'typescript', target: 'es2024' }), texts);
  return texts;
}

function collect(node: unknown, texts: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'StringLiteral' && 'value' in node) texts.push(String(node.value));
  if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) texts.push(joined(node.quasis));
  for (const child of Object.values(node)) collect(child, texts);
}

const joined = (quasis: unknown): string => (quasis as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join(HOLE);
