import { contractMachine } from '../../billing/lifecycle/contract.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import type { Machine } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import { paymentSessionMachine } from '../../billing/lifecycle/payment-session.ts';
import {
  argumentsOf,
  awaited,
  bare,
  choicesOf,
  isNode,
  keyOf,
  type Node,
  nameOf,
  type Offence,
  type Placed,
  Syntax,
  textOf,
} from './syntax.ts';

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
const RULED_ENTITIES = new Set(['ContractRecord', 'Customer', 'Invoice', 'PaymentAttempt', 'PaymentGate', 'PaymentSession']);

const ROW_WRITERS = new Set(['insertRows', 'upsertRows', 'updateRows', 'insertMany', 'insertNew', 'upsertMany', 'updateMany']);
const ENTITY_WRITERS = new Set(['create', 'insert', 'insertMany', 'upsert', 'upsertMany', 'nativeUpdate']);
/** What these are given asks for a status and writes none; those that write have a condition as their second. */
const ENTITY_READERS = new Set(['find', 'findOne', 'findOneOrFail', 'count', 'nativeDelete']);
const CONDITIONS = new Set(['where', 'andWhere']);

/** What asks a lifecycle, and where it must come from. */
const ASKS: Readonly<Record<string, RegExp>> = {
  next: /\/lifecycle\/machine\.ts$/,
  initialState: /\/lifecycle\/machine\.ts$/,
  // of a new invoice: settled, where nothing of it is left to pay
  statusOnceMade: /\/issue\.ts$/,
};

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassMethod', 'MethodProperty']);

/** Every piece of text in a source. */
export function textsIn(source: string): Set<string> {
  return new Set(new Syntax(source).nodes.flatMap(({ node }) => (node.type === 'StringLiteral' ? [String(node.value)] : [])));
}

type Given = { value: unknown; to: unknown };

/** What gets the name `status`, or sets a field of that name; `to` is what has the field, where it isn't new. */
function statusGiven({ node, around }: Placed): Given | null {
  switch (node.type) {
    case 'KeyValueProperty':
    case 'AssignmentPatternProperty':
      return keyOf(node.key) === 'status' && isNode(node.value) ? { value: node.value, to: null } : null;
    case 'Identifier':
      return node.value === 'status' && around.at(-1)?.type === 'ObjectExpression' ? { value: node, to: null } : null;
    case 'VariableDeclarator':
      return nameOf(node.id) === 'status' && isNode(node.init) ? { value: node.init, to: null } : null;
    case 'AssignmentExpression':
      return assignedStatus(node);
    case 'ReturnStatement': {
      // of a rule that is asked for a status by its name
      const rule = around.findLast(({ type }) => FUNCTIONS.has(type));
      return nameOf(rule?.identifier) in ASKS ? { value: node.argument, to: null } : null;
    }
    default:
      return null;
  }
}

function assignedStatus({ left, right }: Node): Given | null {
  const target = bare(left);
  if (target?.type !== 'MemberExpression') return nameOf(target) === 'status' ? { value: right, to: null } : null;
  return keyOf(target.property) === 'status' ? { value: right, to: target.object } : null;
}

/** `em.create`, `tx.em.find` …: the last name, where it is called on the manager of entities. */
function calledOnManager(callee: unknown): string {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return '';
  const object = bare(callee.object);
  const manager = object?.type === 'CallExpression' ? object.callee : object;
  const isManager = nameOf(manager) === 'em' || (isNode(manager) && nameOf(manager.property) === 'em');
  return isManager ? nameOf(callee.property) : '';
}

/** What a call writes rows to: its table as text, or its entity; null for a call that writes none. */
function writtenBy(call: Node): Node | null {
  const [first = null, second = null] = argumentsOf(call);
  if (ROW_WRITERS.has(nameOf(call.callee))) return second;
  return ENTITY_WRITERS.has(calledOnManager(call.callee)) ? first : null;
}

type Bound = Node | 'status of a row' | null;

/** What one source says of its names, as far as a status may come from them. */
class Names {
  private readonly syntax: Syntax;

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  /** Whether a call asks a lifecycle, by a name that was imported for it. */
  asks(name: string): boolean {
    const from = ASKS[name];
    return from !== undefined && this.sourceOf(name) !== null && from.test(this.sourceOf(name) ?? '');
  }

  /** The file that a name is imported from; the file itself, where it is declared there. */
  private sourceOf(name: string): string | null {
    for (const { node } of this.syntax.nodes) {
      if (node.type === 'FunctionDeclaration' && nameOf(node.identifier) === name) return name === 'statusOnceMade' ? '/issue.ts' : '';
      if (node.type !== 'ImportDeclaration') continue;
      const specifiers = node.specifiers as { local: unknown; imported?: unknown }[];
      if (specifiers.some(({ local, imported }) => nameOf(local) === name && !isNode(imported))) return String((node.source as Node).value);
    }
    return null;
  }

  /** What a name is bound to: expressions, and null for what only a caller knows. */
  boundTo(name: string): Bound[] {
    if (name === '') return [];
    return this.syntax.nodes.flatMap(({ node, around }): Bound[] => {
      if (node.type === 'VariableDeclarator' && nameOf(node.id) === name) return [bare(node.init)];
      if (node.type === 'AssignmentPatternProperty' && keyOf(node.key) === name) return [name === 'status' ? 'status of a row' : null];
      if (node.type === 'KeyValuePatternProperty' && nameOf(node.value) === name)
        return [keyOf(node.key) === 'status' ? 'status of a row' : null];
      const isParameter = nameOf(node) === name && ['Parameter', 'ArrowFunctionExpression'].includes(around.at(-1)?.type ?? '');
      return isParameter && isPattern(node, around.at(-1)) ? [null] : [];
    });
  }

  /** Whether a name stands for rows of a table without a lifecycle: all that it is bound to was read or made so. */
  isOfAnotherTable(name: string): boolean {
    const bound = this.boundTo(name);
    return bound.length > 0 && bound.every((one) => one !== null && one !== 'status of a row' && this.isRowOfAnother(one));
  }

  /** Whether a table or entity has no lifecycle; one that has another name here may be any. */
  private hasNoLifecycle(table: Node): boolean {
    if (table.type === 'StringLiteral') return !(textOf(table) in RULED);
    const name = nameOf(table);
    return /^[A-Z]\w*[a-z]/.test(name) && !RULED_ENTITIES.has(name) && !this.isRenamed(name);
  }

  private isRenamed(name: string): boolean {
    const isAlias = ({ node }: Placed): boolean => node.type === 'ImportSpecifier' && nameOf(node.local) === name && isNode(node.imported);
    return this.boundTo(name).length > 0 || this.syntax.nodes.some(isAlias);
  }

  /** Whether a call gives what stands in its argument to a row of a table without a lifecycle, or only asks for it. */
  isCallOfOthers(call: Node | undefined, argument: Node | undefined): boolean {
    if (call?.type !== 'CallExpression' || argument === undefined || !argumentsOf(call).includes(argument)) return false;
    const method = calledOnManager(call.callee);
    if (ENTITY_READERS.has(method)) return true;
    if (method === 'nativeUpdate' && argument === argumentsOf(call)[1]) return true;
    const callee = bare(call.callee);
    if (callee?.type === 'MemberExpression' && CONDITIONS.has(nameOf(callee.property))) return true;
    const written = writtenBy(call);
    return written !== null && this.hasNoLifecycle(written);
  }

  private isRowOfAnother(value: Node): boolean {
    const call = awaited(value);
    if (call?.type !== 'CallExpression') return false;
    const method = calledOnManager(call.callee);
    const [entity] = argumentsOf(call);
    return (ENTITY_READERS.has(method) || ENTITY_WRITERS.has(method)) && entity !== undefined && this.hasNoLifecycle(entity);
  }

  /** Whether an object is only asked with: its name is given to calls that read, and to nothing else. */
  isCondition(name: string): boolean {
    const uses = this.syntax.nodes.filter(({ node, around }) => nameOf(node) === name && isUse(node, around.at(-1)));
    return uses.length > 0 && uses.every(({ node, around }) => this.isCallOfOthers(around.at(-1), node));
  }
}

/** Whether a name is used here: it is neither given nor that of a property. */
const isUse = (node: Node, outer: Node | undefined): boolean => !isPattern(node, outer) && outer?.key !== node && outer?.property !== node;

function isPattern(node: Node, outer: Node | undefined): boolean {
  if (outer?.type === 'VariableDeclarator') return outer.id === node;
  if (outer?.type === 'ArrowFunctionExpression') return (outer.params as unknown[]).includes(node);
  return outer?.type === 'Parameter';
}

/**
 * The forms that a status may be given in: asked from a lifecycle, taken from a row, a condition; a name that no
 * lifecycle has is of another table, as its type says.
 */
function isAllowed(value: unknown, names: Names, seen: readonly string[] = []): boolean {
  return choicesOf(value).every((one) => {
    switch (one?.type) {
      case 'CallExpression':
        return names.asks(nameOf(one.callee));
      case 'MemberExpression':
        return /^(\w+_)?status$/.test(keyOf(one.property)) && !isOutcome(one.object);
      case 'OptionalChainingExpression':
        return isAllowed(one.base, names, seen);
      case 'Identifier': {
        const name = String(one.value);
        const bound = seen.includes(name) ? [] : names.boundTo(name);
        return bound.length > 0 && bound.every((given) => given === 'status of a row' || isAllowed(given, names, [...seen, name]));
      }
      case 'ObjectExpression':
        return (one.properties as Node[]).every(({ type, key }) => type === 'KeyValueProperty' && keyOf(key).startsWith('$'));
      case 'StringLiteral':
      case 'TemplateLiteral':
        return !STATES.has(textOf(one)) && !textOf(one).includes('«');
      case 'NumericLiteral':
      case 'NullLiteral':
        return true;
      default:
        return false;
    }
  });
}

/** What a processor answers is no row, although it has a status too. */
const isOutcome = (object: unknown): boolean => /outcome$/i.test(nameOf(object) || (isNode(object) ? nameOf(object.property) : ''));

/** Whether what is given goes to a row of a table without a lifecycle, or is only asked for. */
function isOfAnotherTable({ around }: Placed, to: unknown, names: Names): boolean {
  if (names.isOfAnotherTable(nameOf(to))) return true;
  return around.some((node, n) => {
    if (names.isCallOfOthers(node, around[n + 1])) return true;
    const isAssigned = node.type === 'CallExpression' && isNode(node.callee) && nameOf(node.callee.property) === 'assign';
    if (isAssigned) return names.isOfAnotherTable(nameOf(argumentsOf(node)[0]));
    const isObject = node.type === 'VariableDeclarator' && bare(node.init)?.type === 'ObjectExpression';
    return isObject && names.isCondition(nameOf(node.id));
  });
}

/** A state under a name that is computed: which field gets it can't be read. */
function isHidden({ node }: Placed): boolean {
  const target = node.type === 'AssignmentExpression' ? bare(node.left) : null;
  const key = target?.type === 'MemberExpression' ? target.property : node.type === 'KeyValueProperty' ? node.key : null;
  const value = node.type === 'AssignmentExpression' ? node.right : node.value;
  return keyOf(key).includes('«') && choicesOf(value).some((one) => one !== null && STATES.has(textOf(one)));
}

/** What koa answers with has a status of its own. */
const isAnswer = (object: unknown): boolean => isNode(object) && (object.type === 'ThisExpression' || nameOf(object) === 'ctx');

/** Setters that take the name of a field as a text: `Reflect.set(customer, 'status', …)`. */
const setsByName = ({ node }: Placed): boolean =>
  node.type === 'CallExpression' &&
  isNode(node.callee) &&
  /^(set|defineProperty)$/.test(nameOf(node.callee.property)) &&
  argumentsOf(node).some((one) => textOf(one) === 'status');

/** Statuses given to values and rows in any form but the allowed ones. */
export const unruledValues = (source: string): Offence[] => offencesIn(source, () => true);

/** The same for what is there already, for code that makes no rows: `customer.status = …`. */
export function unruledAssignments(source: string): Offence[] {
  return offencesIn(source, ({ node, around }) => {
    const target = node.type === 'AssignmentExpression' ? bare(node.left) : null;
    if (target?.type === 'MemberExpression') return !isAnswer(target.object);
    const call = around.findLast(({ type }) => type === 'CallExpression');
    return node.type === 'CallExpression' || (isNode(call?.callee) && nameOf(call.callee.property) === 'assign');
  });
}

const SPEAKS_OF_ONE = new RegExp(`status|'(${[...STATES].join('|')})'`);

function offencesIn(source: string, looksAt: (placed: Placed) => boolean): Offence[] {
  if (!SPEAKS_OF_ONE.test(source)) return [];
  const syntax = new Syntax(source);
  const names = new Names(syntax);
  return syntax.nodes.flatMap((placed) => {
    if (!looksAt(placed)) return [];
    const given = statusGiven(placed);
    const isWrong = given !== null && !isAllowed(given.value, names) && !isOfAnotherTable(placed, given.to, names);
    if (!isWrong && !isHidden(placed) && !setsByName(placed)) return [];
    return [{ line: syntax.lineOf(placed.node), what: syntax.textOf(placed.node) }];
  });
}
