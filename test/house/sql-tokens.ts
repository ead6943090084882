/** A word, a parameter, a sign, or `'` for a text; or what stands in parentheses or between `case` and `end`. */
export type Token = string | Nested;
export interface Nested {
  /** scope: a statement of its own */
  kind: 'scope' | 'group' | 'case';
  tokens: Token[];
}

export const LITERAL = "'";
const NAME = '(?:[a-z_?][\\w?]*|"[^"]*")';
const PIECES = new RegExp(
  ['--.*', '/\\*[^]*?\\*/', "'(?:[^']|'')*'", '\\$\\d+', `${NAME}(?:\\.(?:${NAME}|\\*))*`, '[-+*/<>=!~|:@#%^&]+', '[(),;]', '\\d+'].join(
    '|',
  ),
  'g',
);
const OPENS_A_SCOPE = new Set(['select', 'with', 'insert', 'update', 'delete', 'merge']);
/** Words that mean something else where they are a name: after `as`, or in quotes. */
const RESERVED = new Set(
  'from where on join inner left right full cross natural group order limit for returning using union and or case end update set'.split(
    ' ',
  ),
);

interface Scope extends Nested {
  kind: 'scope';
}
interface Group extends Nested {
  kind: 'group';
}
export const isScope = (token: Token | undefined): token is Scope => typeof token === 'object' && token.kind === 'scope';
export const isGroup = (token: Token | undefined): token is Group => typeof token === 'object' && token.kind === 'group';
export const isWord = (token: Token | undefined): token is string => typeof token === 'string';

/**
 * The pieces of a text of SQL. It may have holes, in the place of a table too, and so be no statement that a parser of
 * the whole language would take.
 */
export function tokensOf(sql: string): Token[] {
  const words: string[] = [];
  for (const [piece] of sql.toLowerCase().matchAll(PIECES)) {
    if (piece.startsWith('--') || piece.startsWith('/*')) continue;
    if (piece.startsWith(LITERAL)) words.push(LITERAL);
    else words.push(nameIn(piece, words.at(-1) === 'as'));
  }
  return nest(words, '');
}

/** A word as it stands; where it is a name that has a meaning of its own, in quotes. */
function nameIn(piece: string, isName: boolean): string {
  const plain = piece.replaceAll('"', '');
  return RESERVED.has(plain) && (isName || plain !== piece) ? `"${plain}"` : plain;
}

function nest(words: string[], closing: string): Token[] {
  const tokens: Token[] = [];
  for (let word = words.shift(); word !== undefined && word !== closing; word = words.shift()) {
    if (word === 'case') tokens.push({ kind: 'case', tokens: nest(words, 'end') });
    else if (word === '(') tokens.push(inParentheses(nest(words, ')')));
    else tokens.push(word);
  }
  return tokens;
}

function inParentheses(tokens: Token[]): Nested {
  const [first] = tokens;
  return { kind: isWord(first) && OPENS_A_SCOPE.has(first) ? 'scope' : 'group', tokens };
}

/** The parts between words: `splitAt(condition, 'or')`. */
export function splitAt(tokens: readonly Token[], ...words: string[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isWord(token) && words.includes(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** The statements in parentheses, but not those within them. */
export const scopesIn = (tokens: readonly Token[]): Nested[] =>
  tokens.flatMap((token) => (isWord(token) ? [] : isScope(token) ? [token] : scopesIn(token.tokens)));
