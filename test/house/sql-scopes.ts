import { clausesOf } from './sql-clauses.ts';
import { boundSources } from './sql-owners.ts';
import { isGroup, isScope, isWord, type Nested, scopesIn, splitAt, type Token, tokensOf } from './sql-tokens.ts';

const OF_POSTGRES = /^(pg_|information_schema\.)/;
const WHOLE = /^\s*(?:truncate|lock|copy|(?:alter|drop)\s+table)(?:\s+(?:table|only|if|exists))*\s+([\w.?"]+)/i;

/** What a statement gives is an owner's, and the tables in it of which it doesn't say whose rows they are. */
interface Reading {
  isOwners: boolean;
  unowned: string[];
}
/** Names that stand for no table with rows of many, and whether they stand for rows of an owner. */
type Given = ReadonlyMap<string, boolean>;

/**
 * The tables whose rows a statement reads or changes without saying whose they are. Rows inserted say it themselves.
 */
export function unownedTables(sql: string, given: Given = new Map()): string[] {
  const whole = WHOLE.exec(sql);
  if (whole !== null) return [whole[1] ?? ''].filter((table) => !given.has(table));
  return [...new Set(readScope(tokensOf(sql), given, new Set()).unowned)];
}

/** `outer`: names that tables have in the statements around this one, and that are judged there. */
function readScope(tokens: readonly Token[], around: Given, outer: ReadonlySet<string>): Reading {
  const given = new Map(around);
  const unowned: string[] = [];
  const isRecursive = tokens[1] === 'recursive';
  const { named, rest } = namedByWith(tokens);
  for (const { name, statement } of named) {
    const within = isRecursive ? new Map([...given, [name, true] as const]) : given;
    const read = readScope(statement, within, outer);
    unowned.push(...read.unowned);
    given.set(name, read.isOwners);
  }
  const branches = splitAt(rest, 'union', 'intersect', 'except', ';').map((branch) => readBranch(branch, given, outer));
  return { isOwners: branches.every(({ isOwners }) => isOwners), unowned: [...unowned, ...branches.flatMap((read) => read.unowned)] };
}

/** The statements that `with` names, and what remains without them. */
function namedByWith(tokens: readonly Token[]): { named: { name: string; statement: Token[] }[]; rest: Token[] } {
  const named: { name: string; statement: Token[] }[] = [];
  const rest: Token[] = [];
  for (const token of tokens) {
    const before = rest.filter((one) => one !== 'materialized' && one !== 'not' && !isGroup(one)).slice(-2);
    const [name, as] = before;
    const isStatement = isScope(token) || (isGroup(token) && token.tokens[0] === '?');
    if (isStatement && isWord(name) && as === 'as') named.push({ name, statement: token.tokens });
    else rest.push(token);
  }
  return { named, rest };
}

function readBranch(branch: readonly Token[], given: Given, outer: ReadonlySet<string>): Reading {
  const { sources, conditions } = clausesOf(branch);
  const isOwn = (table: string): boolean => given.get(table) === true;
  const isOwners = (scope: Nested, bound: ReadonlySet<string>): boolean => readScope(scope.tokens, given, bound).isOwners;
  const bound = boundSources(conditions, { sources, isOwn, isOwners }, outer);
  const unbound = sources.filter(({ alias }) => !bound.has(alias));
  const strange = unbound.flatMap(({ table }) => (table === null || given.has(table) || OF_POSTGRES.test(table) ? [] : [table]));
  const here = new Set([...outer, ...sources.map(({ alias }) => alias), ...insertedInto(branch)]);
  const within = scopesIn(branch).flatMap((scope) => readScope(scope.tokens, given, here).unowned);
  const givesOwned = branch.includes('insert') || (sources.length > 0 ? unbound.length < sources.length : hasParameter(branch));
  return { isOwners: givesOwned, unowned: [...within, ...strange] };
}

/** The names that an insert has for its rows. */
function insertedInto(branch: readonly Token[]): string[] {
  const at = branch.indexOf('into');
  return at < 0 ? [] : [branch[at + 1], branch[at + 2] === 'as' ? branch[at + 3] : undefined].filter(isWord);
}

const hasParameter = (tokens: readonly Token[]): boolean =>
  tokens.some((token) => (isWord(token) ? /^\$\d/.test(token) : hasParameter(token.tokens)));
