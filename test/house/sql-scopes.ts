/**
 * A word, a parameter or a sign; what stands in parentheses is a scope where it is a statement of its own, else a
 * group.
 */
type Token = string | Nested;
interface Nested {
  kind: 'scope' | 'group';
  tokens: Token[];
}
interface Source {
  /** null: a statement in parentheses, or a function */
  table: string | null;
  alias: string;
}

const WORDS = /\$\d+|[a-z_?][\w?]*(?:\.[a-z_?*][\w?]*)*|[<>=!~|:]+|[(),]|\d+/g;
const OPENS_A_SCOPE = new Set(['select', 'with', 'insert', 'update', 'delete']);
const SET_OPERATORS = new Set(['union', 'intersect', 'except']);
const BEFORE_A_TABLE = new Set(['from', 'join', 'using', 'update']);
/** `is distinct from`, `for update`, `do update` */
const BEFORE_NO_TABLE = new Set(['distinct', 'for', 'do']);
const MODIFIERS = new Set(['only', 'lateral']);
const AFTER_A_TABLE = new Set(
  'where on set join inner left right full cross natural group order limit for returning window using'.split(' '),
);
const COMPARISONS = new Set(['=', 'in', 'like']);

/** Columns that say whose a row is: ids, and what stands for one. */
const OWNER = /(^|[._])(id|key|reference|series|subject|hash)$/;
const OF_POSTGRES = /^(pg_|information_schema\.)/;
const PARAMETER = /^\$\d+$/;
const INNER = '(…)';

const nested = (kind: Nested['kind']) => (token: Token | undefined) => typeof token === 'object' && token.kind === kind;
const isScope = nested('scope');
const isGroup = nested('group');

/**
 * The tables whose rows a statement reads or changes without saying whose they are: by a parameter that an id is
 * compared with, by a statement within that says it, or by being tied to one that does. Rows inserted say it
 * themselves.
 */
export function unownedTables(sql: string): string[] {
  const text = sql
    .toLowerCase()
    .replace(/--.*$/gm, '')
    .replace(/'(?:[^']|'')*'/g, ' ')
    .replaceAll('"', '');
  const words = text.match(WORDS) ?? [];
  const whole = /^\s*(?:truncate|(?:lock|alter|drop)\s+table)(?:\s+(?:table|only|if|exists))*\s+([\w.?]+)/.exec(text);
  if (whole !== null) return [whole[1] ?? ''];
  return [...new Set(unownedIn(nest(words), [], []))];
}

function nest(words: string[]): Token[] {
  const tokens: Token[] = [];
  for (let word = words.shift(); word !== undefined && word !== ')'; word = words.shift()) {
    if (word !== '(') {
      tokens.push(word);
      continue;
    }
    const inner = nest(words);
    const [first] = inner;
    tokens.push({ kind: typeof first === 'string' && OPENS_A_SCOPE.has(first) ? 'scope' : 'group', tokens: inner });
  }
  return tokens;
}

/**
 * `outer`: statements named by `with`; `around`: the names that tables have in the statements around this one. Both are
 * judged there.
 */
function unownedIn(tokens: readonly Token[], outer: readonly string[], around: readonly string[]): string[] {
  const given = [...outer, ...namedByWith(tokens)];
  return branchesOf(tokens).flatMap((branch) => {
    const sources = sourcesOf(branch);
    const strange = sources.filter(({ table }) => table !== null && !given.includes(table) && !OF_POSTGRES.test(table));
    const judged = [...around, ...sources.filter((one) => !strange.includes(one)).map(({ alias }) => alias)];
    const here = [...around, ...sources.map(({ alias }) => alias)];
    const within = scopesIn(branch).flatMap((scope) => unownedIn(scope.tokens, given, here));
    return [...within, ...(saysWhose(branch, judged) ? [] : strange.map(({ table }) => table ?? ''))];
  });
}

/** Names that `with` gives to statements. */
function namedByWith(tokens: readonly Token[]): string[] {
  const plain = tokens.filter((token) => !isGroup(token));
  return plain.filter(
    (token, i): token is string => typeof token === 'string' && plain[i + 1] === 'as' && plain.slice(i + 2, i + 5).some(isScope),
  );
}

function branchesOf(tokens: readonly Token[]): Token[][] {
  const branches: Token[][] = [[]];
  for (const token of tokens) {
    if (typeof token === 'string' && SET_OPERATORS.has(token)) branches.push([]);
    else branches.at(-1)?.push(token);
  }
  return branches;
}

function scopesIn(tokens: readonly Token[]): Nested[] {
  return tokens.flatMap((token) => (typeof token === 'string' ? [] : isScope(token) ? [token] : scopesIn(token.tokens)));
}

function sourcesOf(branch: readonly Token[]): Source[] {
  const sources: Source[] = [];
  for (let i = 0; i < branch.length; i += 1) {
    const [before, word] = [branch[i - 1], branch[i]];
    if (typeof word !== 'string' || !BEFORE_A_TABLE.has(word) || (typeof before === 'string' && BEFORE_NO_TABLE.has(before))) continue;
    do i = readSource(branch, i + 1, sources);
    while (branch[i + 1] === ',' && ++i);
  }
  return sources;
}

/** Reads one table or what stands for one, and gives back where it ends. */
function readSource(branch: readonly Token[], start: number, sources: Source[]): number {
  let i = start;
  while (MODIFIERS.has(String(branch[i]))) i += 1;
  const named = branch[i];
  if (named === undefined || isGroup(named)) return i;
  const isTable = typeof named === 'string' && !isGroup(branch[i + 1]);
  if (typeof named === 'string' && !isTable) i += 1;
  if (branch[i + 1] === 'as') i += 1;
  const next = branch[i + 1];
  const hasAlias = typeof next === 'string' && /^[a-z_]/.test(next) && !AFTER_A_TABLE.has(next);
  sources.push({ table: isTable ? named : null, alias: hasAlias ? next : String(named) });
  return hasAlias ? i + 1 : i;
}

function saysWhose(branch: readonly Token[], judged: readonly string[]): boolean {
  const flat = flatten(branch);
  const start = flat.findIndex((word) => word === 'where' || word === 'on');
  const words = start < 0 ? [] : flat.slice(start);
  return words.some((word, i) => {
    if (!COMPARISONS.has(word)) return false;
    const left = words[i - 1] ?? '';
    const right = (words[i + 1] === 'any' ? words[i + 2] : words[i + 1]) ?? '';
    const pairs = [
      [left, right],
      [right, left],
    ] as const;
    return pairs.some(([id, other]) => OWNER.test(id) && (PARAMETER.test(other) || other === INNER || isOf(other, judged)));
  });
}

const isOf = (column: string, judged: readonly string[]): boolean => column.includes('.') && judged.includes(column.split('.')[0] ?? '');

const flatten = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => (typeof token === 'string' ? [token] : isScope(token) ? [INNER] : flatten(token.tokens)));
