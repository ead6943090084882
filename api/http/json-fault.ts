const TOKEN =
  /[ \t\n\r]*(?:([{}[\]:,])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const SPACE = /[ \t\n\r]*/y;
/** The correct beginning of a string that has a fault later. */
const TEXT_BEGUN = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;

type Wanted = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'more' | 'nothing';

/**
 * Where a text stops being JSON: the first character that doesn't belong there, or its length when it ends too early;
 * null when it is JSON.
 */
export function faultIn(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    const begin = endOf(SPACE, text, at);
    if (begin === text.length) return wanted === 'nothing' ? null : begin;
    if (token === null) return text[begin] === '"' ? endOf(TEXT_BEGUN, text, begin) : begin;
    const next = after(wanted, token[1] ?? (token[2] === undefined ? 'plain' : 'text'), open);
    if (next === null) return begin;
    wanted = next;
    at = TOKEN.lastIndex;
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

/** What must come next; null when this token must not be here. */
function after(wanted: Wanted, token: string, open: ('{' | '[')[]): Wanted | null {
  switch (token) {
    case '{':
    case '[':
      if (!wanted.startsWith('value')) return null;
      open.push(token);
      return token === '{' ? 'key or end' : 'value or end';
    case '}':
    case ']':
      return afterEnd(wanted, token === '}' ? '{' : '[', open);
    case ':':
      return wanted === 'colon' ? 'value' : null;
    case ',':
      return wanted === 'more' ? inside(open, 'key', 'value') : null;
    default:
      if (token === 'text' && wanted.startsWith('key')) return 'colon';
      return wanted.startsWith('value') ? inside(open, 'more', 'more') : null;
  }
}

function afterEnd(wanted: Wanted, begun: '{' | '[', open: ('{' | '[')[]): Wanted | null {
  if (open.at(-1) !== begun || !(wanted === 'more' || wanted.endsWith('or end'))) return null;
  open.pop();
  return inside(open, 'more', 'more');
}

const inside = (open: readonly ('{' | '[')[], object: Wanted, list: Wanted): Wanted =>
  open.length === 0 ? 'nothing' : open.at(-1) === '{' ? object : list;

/**
 * The fault in words, with line and column counted from 1.
 *
 * @example '{"a": }' → 'line 1, column 7 has an unexpected "}"'
 */
export function describeFault(text: string): string | null {
  const at = faultIn(text);
  if (at === null) return null;
  const before = text.slice(0, at);
  const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
  const found = text.codePointAt(at);
  return found === undefined
    ? `it ends too early, at ${place}`
    : `${place} has an unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
}
