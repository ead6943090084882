import type { Condition, Source } from './sql-clauses.ts';
import { isGroup, isScope, isWord, LITERAL, type Nested, splitAt, type Token } from './sql-tokens.ts';

/** Columns that say whose a row is: ids, and what stands for one. */
const OWNER = /(^|\.)((\w+_)?(id|key|reference|subject|hash)|credit_of)$/;
const PARAMETER = /^\$\d+$/;
/** What may stand beside a parameter in a value without making it another one. */
const PLAIN = new Set([LITERAL, ',', '::', '||', '+', '-', '*', 'array', 'null', 'true', 'false']);
/** `= all ($1)` is true of everything where there is nothing in it. */
const NO_FUNCTIONS = new Set(['all', 'in', 'not', 'exists', 'like']);

/** What conditions are read with. */
export interface Place {
  sources: readonly Source[];
  /** whether a name stands for rows of an owner */
  isOwn: (table: string) => boolean;
  /** whether a statement within gives rows of an owner, where these are bound */
  isOwners: (scope: Nested, bound: ReadonlySet<string>) => boolean;
}

/**
 * The sources whose rows are an owner's: because an id is compared with a parameter, with what a statement within gives
 * of an owner's rows, or with a column of a source that is bound itself. `outer`: those of the statements around.
 */
export function boundSources(conditions: readonly Condition[], place: Place, outer: ReadonlySet<string>): Set<string> {
  const aliases = new Set(place.sources.map(({ alias }) => alias));
  return boundBy(conditions.flatMap(termsOf), new Set([...outer].filter((alias) => !aliases.has(alias))), place);
}

/** What terms bind together: each of them, and of alternatives what all of them bind beside the other terms. */
function boundBy(terms: readonly Condition[], start: ReadonlySet<string>, place: Place): Set<string> {
  const bound = new Set(start);
  const isMade = ({ table, made }: Source): boolean => (table === null ? isOwned(made, bound, place) : place.isOwn(table));
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const source of place.sources) if (isMade(source)) bound.add(source.alias);
    for (const term of terms) for (const alias of boundByTerm(term, terms, bound, place)) bound.add(alias);
  }
  return bound;
}

function boundByTerm(term: Condition, all: readonly Condition[], bound: ReadonlySet<string>, place: Place): string[] {
  const alternatives = splitAt(term.tokens, 'or');
  if (alternatives.length === 1) {
    const found = boundByComparison(term.tokens, bound, place);
    return found.filter((alias) => term.of === null || term.of.includes(alias));
  }
  const others = all.filter((one) => one !== term);
  const [first, ...more] = alternatives.map((tokens) => boundBy([...others, ...termsOf({ tokens, of: term.of })], bound, place));
  return [...(first ?? [])].filter((alias) => more.every((one) => one.has(alias)));
}

/** The terms of a condition that all hold; alternatives are one. */
function termsOf({ tokens, of }: Condition): Condition[] {
  const [only] = tokens;
  if (tokens.length === 1 && isGroup(only)) return termsOf({ tokens: only.tokens, of });
  if (tokens.includes('or')) return [{ tokens, of }];
  const parts: Token[][] = [];
  for (const part of splitAt(tokens, 'and')) {
    const last = parts.at(-1);
    // `between 1 and 2`
    if (last?.includes('between') && !last.includes('and')) last.push('and', ...part);
    else parts.push(part);
  }
  return parts.length === 1 ? [{ tokens, of }] : parts.flatMap((part) => termsOf({ tokens: part, of }));
}

function boundByComparison(term: readonly Token[], bound: ReadonlySet<string>, place: Place): string[] {
  const at = term.findIndex((token) => token === '=' || token === 'in' || token === 'like');
  if (at < 0) return [];
  const [left, right] = [term.slice(0, at), term.slice(at + 1)];
  return [...boundByPair(left, right, bound, place), ...(term[at] === '=' ? boundByPair(right, left, bound, place) : [])];
}

function boundByPair(column: readonly Token[], value: readonly Token[], bound: ReadonlySet<string>, place: Place): string[] {
  const [columns, values] = [listIn(column), listIn(value)];
  const isRow = columns.length > 1 && columns.length === values.length;
  if (isRow) return columns.flatMap((one, i) => boundByPair(one, values[i] ?? [], bound, place));
  return values.every((one) => isOwned(one, bound, place)) ? columns.flatMap((one) => aliasOf(one, place)) : [];
}

/** What stands in parentheses, or the one value. */
function listIn(tokens: readonly Token[]): (readonly Token[])[] {
  const [only] = tokens;
  return tokens.length === 1 && isGroup(only) ? splitAt(only.tokens, ',') : [tokens];
}

/** The source of a column that says whose a row is. */
function aliasOf([column, ...more]: readonly Token[], { sources }: Place): string[] {
  if (!isWord(column) || !OWNER.test(column) || (more.length > 0 && !(more[0] === '::' && more.length === 2))) return [];
  const name = column.includes('.') ? column.split('.')[0] : sources.length === 1 ? sources[0]?.alias : undefined;
  return sources.filter(({ alias }) => alias === name).map(({ alias }) => alias);
}

/** Whether a value comes from an owner, and from nothing that may be another's. */
function isOwned(value: readonly Token[], bound: ReadonlySet<string>, place: Place): boolean {
  const kinds = kindsOf(value, bound, place);
  return kinds.includes('owner') && !kinds.includes('stranger');
}

const kindsOf = (value: readonly Token[], bound: ReadonlySet<string>, place: Place): ('owner' | 'plain' | 'stranger')[] =>
  value.flatMap((token, i) => {
    if (isGroup(token)) return kindsOf(token.tokens, bound, place);
    if (!isWord(token)) return isScope(token) && place.isOwners(token, bound) ? 'owner' : 'stranger';
    if (PARAMETER.test(token) || (token.includes('.') && bound.has(token.split('.')[0] ?? ''))) return 'owner';
    const isFunction = i + 1 < value.length && !isWord(value[i + 1]) && !NO_FUNCTIONS.has(token);
    return isFunction || PLAIN.has(token) || value[i - 1] === '::' || /^\d/.test(token) ? 'plain' : 'stranger';
  });
