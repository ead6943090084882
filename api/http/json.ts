import { describeFault } from './json-fault.ts';
import { cut, invalidField, Problem } from './problem.ts';

/** A JSON number that a double can't hold exactly, as its source text. */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const MAX_DEPTH = 32;
const MAX_NUMBER_LENGTH = 64;
const MAY_BE_INEXACT = /[:[,\s]-?\d*(?:\.\d|\d[eE]|\d{16})/;
const INTEGER_LIKE = /^-?\d+(?:\.0+)?$|^-?\d+[eE]\+?\d+$/;

/**
 * Parses a request body: numbers exactly, no deep nesting, no NUL, no lone surrogate, no key twice in one object.
 * Throws `invalid_json`.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', `The body is not valid JSON: ${describeFault(text) ?? 'it is nested too deeply'}.`);
  }
  if (countNames(text) !== inspect(value, 0, mayHide(text))) refuseRepeatedKeys(text);
  return MAY_BE_INEXACT.test(` ${text}`) ? JSON.parse(text, exactNumbers) : value;
}

/**
 * Whether a string or a key might contain what isn't accepted: all but one key needs an escape for it. Most bodies need
 * no search.
 */
const mayHide = (text: string): boolean => text.includes('\\u') || text.includes('__proto__') || !text.isWellFormed();

/** Colons that follow a text, as those after keys do. */
function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTE) count += 1;
  }
  return count;
}

const QUOTE = 0x22;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** Walks the value once, checks its depth and, where asked, its strings, and counts the keys. */
function inspect(value: unknown, depth: number, checks: boolean): number {
  if (typeof value === 'string') {
    if (checks) checkText(value);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_DEPTH) throw new Problem('invalid_json', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (Array.isArray(value)) return value.reduce<number>((keys, entry) => keys + inspect(entry, depth + 1, checks), 0);
  const names = Object.keys(value);
  let keys = names.length;
  for (const name of names) {
    if (checks) checkKey(name);
    keys += inspect((value as Readonly<Record<string, unknown>>)[name], depth + 1, checks);
  }
  return keys;
}

/** Postgres can't store NUL, and a lone surrogate has no UTF-8 form. */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new Problem('invalid_json', 'NUL characters are not accepted.');
  if (!text.isWellFormed()) throw new Problem('invalid_json', 'Lone surrogates are not accepted.');
}

/** No object can have `__proto__` as a field, so it would be lost without notice. */
export function checkKey(key: string): void {
  checkText(key);
  if (key === '__proto__') throw invalidField(key, 'is not known here');
}

function exactNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  if (String(value) === source) return value;
  if (Number.isSafeInteger(value) && INTEGER_LIKE.test(source) && source.length <= MAX_NUMBER_LENGTH) return value;
  return new JsonNumber(source);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** The slow, exact look for repeated keys; only for bodies whose count of keys is in doubt. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key = String(JSON.parse(last));
      const seen = open.at(-1);
      if (seen?.has(key)) throw new Problem('invalid_json', `The key ${JSON.stringify(cut(key))} stands twice in one object.`);
      seen?.add(key);
    }
    last = token;
  }
}
