import { type Expression, type ModuleItem, parseSync } from '@swc/core';
import { read } from './sources.ts';

const STATEMENT =
  /(?:^|;)(?:\s|--[^\n]*\n|\/\*.*?\*\/)*(?:explain\s[\w\s,()]*)?(with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\b|select\b.*\bfrom\b|insert\s+into\b|update\s+(only\s+)?[\w".?]+(\s+(as\s+)?\w+)?\s+set\b|delete\s+from\b|merge\s+into\b|truncate\b|lock\s+(table\b|\w+\s+in\b)|copy\s+[\w(]|(alter|drop)\s+table\b|create\s+(temporary\s+|temp\s+)?table\b)/is;

/** What an expression inside a text literal is written as. */
const HOLE = '?';

/**
 * Every SQL statement written as a text literal in a file; what is put into a literal shows as `?`, unless it is a text
 * that the file names.
 */
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
  const module = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  const nodes: object[] = [];
  collect(module, nodes);
  const parts = new Map(module.body.flatMap(partsIn));
  return nodes.flatMap((node) => textIn(node, parts) ?? []);
}

function collect(node: unknown, nodes: object[]): void {
  if (typeof node !== 'object' || node === null) return;
  nodes.push(node);
  for (const child of Object.values(node)) collect(child, nodes);
}

/** The values to which a module gives names. */
function partsIn(item: ModuleItem): [string, Expression][] {
  const declared = item.type === 'ExportDeclaration' ? item.declaration : item;
  if (declared.type !== 'VariableDeclaration') return [];
  return declared.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.value, init]] : []));
}

function textIn(node: object, parts: ReadonlyMap<string, Expression>): string | null {
  if (!('type' in node)) return null;
  if (node.type === 'StringLiteral' && 'value' in node) return String(node.value);
  if (node.type !== 'TemplateLiteral' || !('quasis' in node)) return null;
  const { quasis, expressions = [] } = node as { quasis: { cooked?: string }[]; expressions?: { value?: string }[] };
  return quasis.map(({ cooked }, i) => (cooked ?? '') + (i < quasis.length - 1 ? put(expressions[i]?.value, parts) : '')).join('');
}

/** What an expression puts into a text: a text of the same module that it names. */
function put(name: string | undefined, parts: ReadonlyMap<string, Expression>): string {
  const part = parts.get(name ?? '');
  const others = new Map([...parts].filter(([other]) => other !== name));
  return (part && textIn(part, others)) ?? HOLE;
}
