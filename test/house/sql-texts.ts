import { parseSync } from '@swc/core';
import { read } from './sources.ts';

const STATEMENT =
  /^\s*(with\s+(recursive\s+)?\w+|select\b.*\bfrom\b|insert\s+into\b|update\s+(only\s+)?[\w".?]+(\s+\w+)?\s+set\b|delete\s+from\b|merge\s+into\b|truncate\b|lock\s+table\b|(alter|drop)\s+table\b|create\s+(temporary\s+|temp\s+)?table\b)/is;

/** What an expression inside a text literal is written as. */
const HOLE = '?';

/** Every SQL statement written as a text literal in a file; what is put into a literal shows as `?`. */
export function sqlTextsOf(path: string): string[] {
  return sqlTextsIn(read(path));
}

export function sqlTextsIn(source: string): string[] {
  const texts: string[] = [];
  collect(parseSync(source, { syntax: 'typescript', target: 'es2024' }), texts);
  return texts.filter((text) => STATEMENT.test(text));
}

function collect(node: unknown, texts: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'StringLiteral' && 'value' in node) texts.push(String(node.value));
  if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) texts.push(textOf(node.quasis));
  for (const child of Object.values(node)) collect(child, texts);
}

const textOf = (quasis: unknown): string => (quasis as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join(HOLE);
