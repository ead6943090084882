const TOKEN = /[{}[\]:,]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];

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
    const begin = endOf(SPACE, text, at);
    if (begin === text.length) return wanted === 'nothing' ? null : begin;
    const isText = text.charCodeAt(begin) === QUOTE;
    at = isText ? endOfText(text, begin) : endOf(TOKEN, text, begin);
    if (isText && text.charCodeAt(at) !== QUOTE) return at;
    if (at === begin) return begin;
    const next = after(wanted, isText ? 'text' : text.slice(begin, at), open);
    if (next === null) return begin;
    wanted = next;
    if (isText) at += 1;
  }
}

/** Where a pattern ends that begins at `from`; `from` itself when it doesn't begin there. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** The place of the quote that ends a text, or of what may not stand in it. A text may be a megabyte long. */
function endOfText(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code < FIRST_PRINTABLE) return at;
    const end = code === BACKSLASH ? endOf(ESCAPE, text, at) : at + 1;
    if (end === at) return at;
    at = end;
  }
  return at;
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
