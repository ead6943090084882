import { parseSync } from '@swc/core';
import { contractMachine } from '../../billing/lifecycle/contract.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import type { Machine } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import { paymentSessionMachine } from '../../billing/lifecycle/payment-session.ts';

/** The tables whose `status` is ruled by a lifecycle. */
export const RULED: Readonly<Record<string, Machine>> = {
  contract: contractMachine,
  customer: customerMachine,
  invoice: invoiceMachine,
  payment_attempt: paymentAttemptMachine,
  payment_gate: paymentGateMachine,
  payment_session: paymentSessionMachine,
};

const STATES = new Set(Object.values(RULED).flatMap(({ states }) => Object.keys(states)));
const TABLES = Object.keys(RULED).join('|');
const ROW_WRITERS = new Set(['insertRows', 'upsertRows', 'updateRows', 'insertMany', 'insertNew', 'upsertMany', 'updateMany']);
const ENTITY_WRITERS = new Set(['create', 'insert', 'insertMany', 'upsert', 'upsertMany', 'nativeUpdate']);
const ENTITY_READERS = new Set(['find', 'findOne', 'findOneOrFail', 'count']);
const ENTITIES: Readonly<Record<string, string>> = {
  ContractRecord: 'contract',
  Customer: 'customer',
  Invoice: 'invoice',
  PaymentAttempt: 'payment_attempt',
  PaymentGate: 'payment_gate',
  PaymentSession: 'payment_session',
};

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** All nodes of a source, each with those around it, the nearest last. */
function* nodesOf(node: unknown, around: readonly Node[] = []): Generator<{ node: Node; around: readonly Node[] }> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one, around);
  else if (typeof node === 'object' && node !== null) {
    if (isNode(node)) yield { node, around };
    const inner = isNode(node) ? [...around, node] : around;
    for (const value of Object.values(node)) if (typeof value === 'object') yield* nodesOf(value, inner);
  }
}

const parsed = (source: string): unknown => parseSync(source, { syntax: 'typescript', target: 'es2024' });

/** Every piece of text in a source. */
export function textsIn(source: string): Set<string> {
  return new Set([...nodesOf(parsed(source))].flatMap(({ node }) => (node.type === 'StringLiteral' ? [String(node.value)] : [])));
}

/** The text that strings make; what is put into it stands in «», by name where it is `name` or `name.field`. */
function textOf(node: unknown): string {
  if (!isNode(node)) return '«»';
  if (node.type === 'StringLiteral' || node.type === 'Identifier')
    return node.type === 'Identifier' ? `«${node.value}»` : String(node.value);
  if (node.type === 'BinaryExpression' && node.operator === '+') return textOf(node.left) + textOf(node.right);
  if (node.type === 'ParenthesisExpression') return textOf(node.expression);
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { raw: string }[];
    // of a type it has none
    const put = (node.expressions ?? []) as unknown[];
    return quasis.map(({ raw }, n) => raw + (n < put.length ? textOf(put[n]) : '')).join('');
  }
  if (node.type === 'MemberExpression') return `«${nameOf(node.object)}.${nameOf(node.property)}»`;
  return '«»';
}

const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node.value) : '');

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
  if (column !== 'status') return true;
  const [, move] = /^«(\w+)\.to»$/.exec(value ?? '') ?? [];
  return move !== undefined && moves.has(move);
}

const UPDATE = `\\bupdate\\s+"?(${TABLES})"?(?:\\s+(?:as\\s+)?(?!set\\b)\\w+)?\\s+set\\s+`;

function writesInSql(sql: string, moves: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const updates = new RegExp(UPDATE, 'gi');
  const inserts = new RegExp(
    `\\binsert\\s+into\\s+"?(${TABLES})"?(?:\\s+as\\s+\\w+)?\\s*\\(([^)]*)\\)(?:.*?\\bdo\\s+update\\s+set\\s+(.*))?`,
    'gis',
  );
  for (const match of sql.matchAll(updates)) {
    const clause = sql.slice(match.index + match[0].length);
    for (const one of assignmentsOf(clause)) if (!isRuled(one, moves)) found.push(`update ${match[1]} set ${one}`);
  }
  for (const match of sql.matchAll(inserts)) {
    const [, table, columns = '', clause] = match;
    const isNamed = /\bstatus\b/.test(columns) || columns.includes('«');
    if (isNamed && !copiesStatus(columns, sql.slice(match.index + match[0].length))) found.push(`insert into ${table} (${columns})`);
    for (const one of clause === undefined ? [] : assignmentsOf(clause))
      if (!isRuled(one, moves)) found.push(`insert into ${table}: set ${one}`);
  }
  return found;
}

/** Whether an insert takes the status of the given rows: the code that makes those rows asks the lifecycle. */
function copiesStatus(columns: string, rest: string): boolean {
  const selected = /^\s*select\s+([\w\s,]+?)\s+from\s/i.exec(rest)?.[1]?.split(',') ?? [];
  const at = columns.split(',').findIndex((column) => column.trim() === 'status');
  return !columns.includes('«') && selected[at]?.trim() === 'status';
}

/** Statuses written in SQL by anything but a `statusMove` of the same file. */
export function unruledSql(source: string): string[] {
  if (!/\b(update|insert\s+into)\b/i.test(source)) return [];
  const nodes = [...nodesOf(parsed(source))].map(({ node }) => node);
  const moves = new Set(
    nodes.flatMap((node) =>
      node.type === 'VariableDeclarator' && isNode(node.init) && nameOf(node.init.callee) === 'statusMove' ? [nameOf(node.id)] : [],
    ),
  );
  return [...new Set(nodes.flatMap((node) => writesInSql(textOf(node), moves)))];
}

const INNER = new Set(['ParenthesisExpression', 'TsAsExpression', 'TsConstAssertion', 'TsSatisfiesExpression', 'TsNonNullExpression']);
const CHOICES = new Set(['??', '||', '&&']);

/** States that an expression may come to by itself; what a call answers is not looked at. */
function statesIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression') return [...statesIn(node.consequent), ...statesIn(node.alternate)];
  if (node.type === 'BinaryExpression' && CHOICES.has(String(node.operator))) return [...statesIn(node.left), ...statesIn(node.right)];
  if (INNER.has(node.type)) return statesIn(node.expression);
  const text = textOf(node);
  return STATES.has(text) ? [text] : [];
}

const keyOf = (key: unknown): string => {
  if (!isNode(key)) return '';
  return key.type === 'Computed' ? textOf(key.expression) : String(key.value);
};

/** What gets the name `status`, or sets a field of that name. */
function statusGiven(node: Node): unknown {
  if (node.type === 'KeyValueProperty' && keyOf(node.key) === 'status') return node.value;
  if (node.type === 'VariableDeclarator' && nameOf(node.id) === 'status') return node.init;
  if (node.type !== 'AssignmentExpression' || !isNode(node.left)) return null;
  return keyOf(node.left.type === 'MemberExpression' ? node.left.property : node.left) === 'status' ? node.right : null;
}

/**
 * The table that rows are written to by a call, if it is one that writes rows; the name of an entity whose table has no
 * lifecycle.
 */
function tableOf(node: Node): string | null {
  if (node.type !== 'CallExpression') return null;
  const [first, second] = (node.arguments as { expression: Node }[]).map(({ expression }) => expression);
  const writesRows = ROW_WRITERS.has(nameOf(node.callee));
  if (writesRows && second?.type === 'StringLiteral') return String(second.value);
  const entity = writesRows ? nameOf(second) : isEntityWriter(node.callee) ? nameOf(first) : '';
  return entity === '' ? null : (ENTITIES[entity] ?? entity);
}

/** `em.create`, `tx.em.upsert` … */
const isEntityWriter = (callee: unknown): boolean => ENTITY_WRITERS.has(calledOnManager(callee));

/** `em.find`, `tx.em.count` …: what they are given asks for a status and writes none. */
const isEntityReader = ({ type, callee }: Node): boolean => type === 'CallExpression' && ENTITY_READERS.has(calledOnManager(callee));

function calledOnManager(callee: unknown): string {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return '';
  const { object, property } = callee;
  const isManager = nameOf(object) === 'em' || (isNode(object) && nameOf(object.property) === 'em');
  return isManager ? nameOf(property) : '';
}

/** Whether a source writes a ruled table, or asks a lifecycle for what others write. */
export function asksOrWrites(source: string): boolean {
  if (/\blifecycle\/[a-z-]+\.ts'/.test(source) || new RegExp(UPDATE, 'i').test(source)) return true;
  const mayWriteRows = [...ROW_WRITERS].some((name) => source.includes(name)) || /\bem\b|\.status\s*=[^=]/.test(source);
  return mayWriteRows && [...nodesOf(parsed(source))].some(({ node }) => (tableOf(node) ?? '') in RULED || setsStatus(node));
}

/** `session.status = …` */
const setsStatus = ({ type, left }: Node): boolean =>
  type === 'AssignmentExpression' && isNode(left) && left.type === 'MemberExpression' && nameOf(left.property) === 'status';

/** Whether a row goes into a table without a lifecycle, or is only asked for. */
function isOfAnotherTable(around: readonly Node[]): boolean {
  return around.some((node) => {
    const table = tableOf(node);
    return (table !== null && !(table in RULED)) || isEntityReader(node);
  });
}

/** Statuses given by name to values and rows, instead of asked from a lifecycle. */
export function unruledValues(source: string): string[] {
  if (!source.includes('status')) return [];
  return [...nodesOf(parsed(source))].flatMap(({ node, around }) =>
    isOfAnotherTable(around) ? [] : statesIn(statusGiven(node)).map((state) => `status: '${state}'`),
  );
}
