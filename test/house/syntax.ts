import { parseSync } from '@swc/core';

export interface Node {
  type: string;
  [field: string]: unknown;
}

/** A node with those around it, the nearest last. */
export interface Placed {
  node: Node;
  around: readonly Node[];
}

/** What a check refuses, and where. */
export interface Offence {
  line: number;
  what: string;
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** A source and all its nodes. */
export class Syntax {
  readonly nodes: readonly Placed[];
  private readonly bytes: Buffer;
  private readonly start: number;

  constructor(source: string) {
    // the first statement begins where the text begins, whatever comments the source has: places count from there
    const text = `;${source.replace(/^#!/, '//')}`;
    const module = parseSync(text, { syntax: 'typescript', target: 'es2024' });
    this.bytes = Buffer.from(text);
    this.start = module.span.start;
    const nodes: Placed[] = [];
    collect(module, [], nodes);
    this.nodes = nodes;
  }

  lineOf(node: Node): number {
    const [from] = this.extentOf(node);
    return this.bytes.subarray(0, from).toString().split('\n').length;
  }

  /** A node as it is written, on one line. */
  textOf(node: Node): string {
    const text = this.bytes.subarray(...this.extentOf(node)).toString();
    return text.replace(/\s+/g, ' ').slice(0, 100);
  }

  private extentOf(node: Node): [number, number] {
    // a property has no place of its own
    const span = isSpan(node.span) ? node.span : { start: placeOf(node.key).start, end: placeOf(node.value).end };
    return [span.start - this.start, span.end - this.start];
  }
}

type Span = { start: number; end: number };
const isSpan = (value: unknown): value is Span => typeof value === 'object' && value !== null && 'start' in value;
const placeOf = (node: unknown): Span => (isNode(node) && isSpan(node.span) ? node.span : { start: 0, end: 0 });

function collect(value: unknown, around: readonly Node[], nodes: Placed[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, around, nodes);
    return;
  }
  if (isNode(value)) nodes.push({ node: value, around });
  const inner = isNode(value) ? [...around, value] : around;
  for (const [field, one] of Object.entries(value)) if (field !== 'span') collect(one, inner, nodes);
}

export const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node.value) : '');

/** The text that strings make; what is put into it stands in «», by name where it is `name` or `name.field`. */
export function textOf(node: unknown): string {
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

/** The name of a property or field; in «» where it is computed. */
export function keyOf(key: unknown): string {
  if (!isNode(key)) return '';
  return key.type === 'Computed' ? textOf(key.expression) : String(key.value);
}

const WRAPPERS = new Set(['ParenthesisExpression', 'TsAsExpression', 'TsConstAssertion', 'TsSatisfiesExpression', 'TsNonNullExpression']);
const AROUND_A_VALUE = new Set([...WRAPPERS, 'AwaitExpression']);

/** An expression without parentheses and what is said of its type. */
export function bare(node: unknown, wrappers: ReadonlySet<string> = WRAPPERS): Node | null {
  if (!isNode(node)) return null;
  return wrappers.has(node.type) ? bare(node.expression ?? node.argument, wrappers) : node;
}

/** The same, without `await` too. */
export const awaited = (node: unknown): Node | null => bare(node, AROUND_A_VALUE);

/** The parts of a choice: `a ? b : c` and `b ?? c` come to b or c. */
export function choicesOf(node: unknown): (Node | null)[] {
  const inner = bare(node);
  if (inner?.type === 'ConditionalExpression') return [...choicesOf(inner.consequent), ...choicesOf(inner.alternate)];
  if (inner?.type === 'BinaryExpression' && ['??', '||', '&&'].includes(String(inner.operator)))
    return [...choicesOf(inner.left), ...choicesOf(inner.right)];
  return [inner];
}

/** What a call is given. */
export const argumentsOf = (call: Node): Node[] => ((call.arguments ?? []) as { expression: Node }[]).map(({ expression }) => expression);
