import { RULED } from './statuses.ts';
import { isNode, type Node, nameOf, type Offence, Syntax, textOf } from './syntax.ts';

/** Assignments of a `set` clause: up to what follows it, divided at commas outside of brackets. */
function assignmentsOf(clause: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [piece] of clause.matchAll(/distinct\s+from|\w+|\s+|./gs)) {
    if (depth === 0 && /^(where|from|returning)$/i.test(piece)) break;
    depth += piece === '(' ? 1 : piece === ')' ? -1 : 0;
    if (depth < 0) break;
    if (depth === 0 && piece === ',') parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim());
}

/** Whether an assignment leaves the status alone, or takes it from a lifecycle. */
function isRuled(assignment: string, moves: ReadonlySet<string>): boolean {
  const [, column, value] = /^"?(\w+)"?\s*=\s*(.*)$/s.exec(assignment) ?? [];
  if (column === undefined) return false;
  if (column.toLowerCase() !== 'status') return true;
  const [, move] = /^«(\w+)\.to»$/.exec(value ?? '') ?? [];
  return move !== undefined && moves.has(move);
}

/** `name`, `"name"`, `only public.name`; a name that is put in has «». */
const NAME = '(?:only\\s+)?((?:"?\\w+"?\\.)?"?[\\w«».]+"?)';
const UPDATED = new RegExp(`\\bupdate\\s+${NAME}(?:\\s+(?:as\\s+)?\\w+)?\\s*$`, 'i');
const INSERT = new RegExp(`\\binsert\\s+into\\s+${NAME}(?:\\s+as\\s+\\w+)?\\s*(?:\\(([^)]*)\\))?`, 'gi');
const MERGE = new RegExp(`\\bmerge\\s+into\\s+${NAME}`, 'gi');
const SET_STATUS = /^(\(.*)?"?\bstatus\b.*=/is;

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/^\w+\./, '');

/** Whether a table has a lifecycle, or may have one: its name is put in. */
const mayBeRuled = (name: string): boolean => name.includes('«') || plain(name) in RULED;

/** The table whose rows the `set` after this text changes, and how; null where the text doesn't say it. */
function changedBy(before: string): { table: string; how: string } | null {
  const isOfInsert = /\bdo\s+update\s*$/i.test(before);
  const table = isOfInsert ? [...before.matchAll(INSERT)].at(-1)?.[1] : UPDATED.exec(before)?.[1];
  return table === undefined ? null : { table, how: isOfInsert ? `insert into ${table}: set` : `update ${table} set` };
}

function updatesIn(sql: string, moves: ReadonlySet<string>): string[] {
  return [...sql.matchAll(/\bset\s+/gi)].flatMap(({ 0: set, index }) => {
    const changed = changedBy(sql.slice(0, index));
    if (changed !== null && !mayBeRuled(changed.table)) return [];
    const wrong = assignmentsOf(sql.slice(index + set.length)).filter((one) => !isRuled(one, moves));
    // where the text begins with `set`, other words than a status may be anything
    const found = changed === null ? wrong.filter((one) => SET_STATUS.test(one)) : wrong;
    return found.map((one) => `${changed?.how ?? 'set'} ${one}`);
  });
}

function insertsIn(sql: string): string[] {
  return [...sql.matchAll(INSERT)].flatMap(({ 0: insert, 1: table = '', 2: columns, index }) => {
    if (!mayBeRuled(table)) return [];
    if (columns === undefined) return [`insert into ${table} without its columns`];
    const isNamed = /\bstatus\b/i.test(columns) || columns.includes('«');
    return isNamed && !copiesStatus(columns, sql.slice(index + insert.length)) ? [`insert into ${table} (${columns})`] : [];
  });
}

const mergesIn = (sql: string): string[] =>
  [...sql.matchAll(MERGE)].flatMap(([, table = '']) => (mayBeRuled(table) ? [`merge into ${table}`] : []));

/** Whether an insert takes the status of the given rows: the code that makes those rows asks the lifecycle. */
function copiesStatus(columns: string, rest: string): boolean {
  const selected = /^\s*select\s+([\w\s,]+?)\s+from\s/i.exec(rest)?.[1]?.split(',') ?? [];
  const at = columns.split(',').findIndex((column) => column.trim() === 'status');
  return !columns.includes('«') && selected[at]?.trim() === 'status';
}

/** Whether a text is only a part of a longer one, which is looked at as a whole. */
function isPart(around: readonly Node[]): boolean {
  const outer = around.findLast(({ type }) => type !== 'ParenthesisExpression');
  return outer !== undefined && (outer.type === 'TemplateLiteral' || (outer.type === 'BinaryExpression' && outer.operator === '+'));
}

/** Statuses written in SQL by anything but a `statusMove` of the same file. */
export function unruledSql(source: string): Offence[] {
  if (!/\b(update|(insert|merge)\s+into)\b|\bset\b[^;]*status/i.test(source)) return [];
  const syntax = new Syntax(source);
  const moves = new Set(
    syntax.nodes.flatMap(({ node }) =>
      node.type === 'VariableDeclarator' && isNode(node.init) && nameOf(node.init.callee) === 'statusMove' ? [nameOf(node.id)] : [],
    ),
  );
  const found = new Map<string, Offence>();
  for (const { node, around } of syntax.nodes) {
    if (isPart(around)) continue;
    const sql = textOf(node);
    for (const what of [...updatesIn(sql, moves), ...insertsIn(sql), ...mergesIn(sql)])
      if (!found.has(what)) found.set(what, { line: syntax.lineOf(node), what });
  }
  return [...found.values()];
}
