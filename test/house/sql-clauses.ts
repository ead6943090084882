import { isGroup, isWord, splitAt, type Token } from './sql-tokens.ts';

/** What a statement reads or changes the rows of. */
export interface Source {
  /** null: a statement in parentheses, or a function */
  table: string | null;
  alias: string;
  /** the statement, or the function with what it is given */
  made: readonly Token[];
}

export interface Condition {
  tokens: readonly Token[];
  /** null: any source that it names; else those alone whose rows it leaves out, as `on` of an outer join does */
  of: readonly string[] | null;
}

const CLAUSES = new Set(
  'select from using update merge set where group order having limit offset fetch for returning window values'.split(' '),
);
/** `is distinct from`, `for update`, `for no key update` */
const NO_CLAUSES = new Set(['distinct from', 'for update', 'key update']);
const JOINS = new Set('join cross inner left right full natural'.split(' '));
const UNREADABLE = '(…)';

/** The tables and conditions of a statement, without those of statements within. */
export function clausesOf(statement: readonly Token[]): { sources: Source[]; conditions: Condition[] } {
  const sources: Source[] = [];
  const conditions: Condition[] = [];
  for (const [word, ...tokens] of clausesIn(statement)) {
    if (word === 'where') conditions.push({ tokens, of: null });
    // `merge into`
    if (word === 'merge') readItem(tokens.slice(1), sources, conditions);
    if (word === 'from' || word === 'using' || word === 'update') {
      for (const item of splitAt(tokens, ',')) readItem(item, sources, conditions);
    }
  }
  return { sources, conditions };
}

function clausesIn(statement: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  for (const [i, token] of statement.entries()) {
    const before = statement[i - 1];
    // what follows is about the row that is in the way
    if (token === 'on' && statement[i + 1] === 'conflict') break;
    const begins = isWord(token) && CLAUSES.has(token) && !NO_CLAUSES.has(`${before} ${token}`);
    // `join … using (id)` is no clause
    if (begins && !(token === 'using' && isGroup(statement[i + 1]))) clauses.push([token]);
    else clauses.at(-1)?.push(token);
  }
  return clauses;
}

/** One table of a list, with those joined to it. */
function readItem(item: readonly Token[], sources: Source[], conditions: Condition[]): void {
  const before: string[] = [];
  for (const [joins, part] of joinedIn(item)) {
    const [source, rest] = readSource(part);
    const kept: Record<string, readonly string[]> = { left: [source.alias], right: [...before], full: [] };
    const outer = joins.find((word) => word in kept);
    const tokens = rest[0] === 'on' ? rest.slice(1) : rest[0] === 'using' ? sameColumns(rest[1], source.alias, before) : [];
    conditions.push({ tokens, of: outer === undefined ? null : (kept[outer] ?? []) });
    sources.push(source);
    before.push(source.alias);
  }
}

/** What `using (id)` says, where there is but one that it can be about. */
function sameColumns(columns: Token | undefined, joined: string, before: readonly string[]): Token[] {
  if (!isGroup(columns) || before.length !== 1) return [];
  return columns.tokens.flatMap((column) => (column === ',' ? ['and'] : [`${joined}.${column}`, '=', `${before[0]}.${column}`]));
}

/** The parts of a list of joins, each with the words of its join. */
function joinedIn(item: readonly Token[]): [string[], Token[]][] {
  const parts: [string[], Token[]][] = [[[], []]];
  for (const [i, token] of item.entries()) {
    const last = parts.at(-1);
    const isJoin = isWord(token) && JOINS.has(token) && (token === 'join' || !isGroup(item[i + 1]));
    if (!isJoin) last?.[1].push(token);
    else if (last?.[1].length === 0) last[0].push(token);
    else parts.push([[token], []]);
  }
  return parts;
}

/** A table or what stands for one, and what follows it. */
function readSource(part: readonly Token[]): [Source, Token[]] {
  const rest = [...part];
  while (rest[0] === 'only' || rest[0] === 'lateral') rest.shift();
  const named = rest.shift() ?? '';
  const given = isWord(named) && isGroup(rest[0]) ? [named, rest.shift() ?? ''] : null;
  if (rest[0] === 'with' && rest[1] === 'ordinality') rest.splice(0, 2);
  if (rest[0] === 'as') rest.shift();
  const isNamed = isWord(rest[0]) && /^["a-z_?]/.test(rest[0]) && rest[0] !== 'on' && rest[0] !== 'using';
  const alias = isNamed ? String(rest.shift()) : String(named);
  if (isGroup(rest[0])) rest.shift();
  // what is put in is a text of its own
  const isTable = isWord(named) ? given === null : isGroup(named) && named.tokens[0] !== 'values' && named.tokens[0] !== '?';
  return [{ table: isTable ? (isWord(named) ? named : UNREADABLE) : null, alias, made: given ?? [named] }, rest];
}
