import { checkShape } from './body-shape.ts';
import { fieldPath } from './field-path.ts';
import { describeFault } from './json-fault.ts';
import { cut, invalidField, Problem } from './problem.ts';

/** A JSON number that a double can't hold exactly, as its source text. */
export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const MAX_NUMBER_LENGTH = 64;
const MAY_BE_INEXACT = /[:[,\s]-?\d*(?:\.\d|\d[eE]|\d{16})/;
const INTEGER_LIKE = /^-?\d+(?:\.0+)?$|^-?\d+[eE]\+?\d+$/;

/**
 * Parses a request body: numbers exactly, not too much of it, no NUL, no lone surrogate, no key twice in one object.
 * Throws `invalid_json` or `invalid_request`.
 */
export function parseJson(text: string): unknown {
  const keys = checkShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', `The body is not valid JSON: ${describeFault(text) ?? 'it cannot be read'}.`);
  }
  if (mayHide(text)) requireTexts(value, []);
  if (keys !== countKeys(value)) refuseRepeatedKeys(text);
  return MAY_BE_INEXACT.test(` ${text}`) ? JSON.parse(text, exactNumbers) : value;
}

/**
 * Whether a string or a key might contain what isn't accepted: all but one key needs an escape for it. Most bodies need
 * no search.
 */
const mayHide = (text: string): boolean => text.includes('\\u') || text.includes('__proto__') || !text.isWellFormed();

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((keys, entry) => keys + countKeys(entry), 0);
  const entries = Object.values(value);
  return entries.reduce<number>((keys, entry) => keys + countKeys(entry), entries.length);
}

type Path = (string | number)[];

/** Fails with the place of the first text or key that isn't accepted. */
function requireTexts(value: unknown, path: Path): void {
  if (typeof value === 'string') checkText(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value)) {
    if (!Array.isArray(value)) checkKey(name, path);
    path.push(Array.isArray(value) ? Number(name) : name);
    requireTexts(entry, path);
    path.pop();
  }
}

/** Postgres can't store NUL, and a lone surrogate has no UTF-8 form. */
function checkText(text: string, path: Path): void {
  if (text.includes('\0')) throw unreadable(path, 'must not contain NUL characters');
  if (!text.isWellFormed()) throw unreadable(path, 'must not contain lone surrogates');
}

function unreadable(path: Path, fault: string): Problem {
  const field = cut(fieldPath(path) || 'body');
  return new Problem('invalid_json', `The field ${field} ${fault}.`, { feedback: { [field]: { type: 'error', value: fault } } });
}

/**
 * No object can have `__proto__` as a field, so it would be lost without notice.
 *
 * @param path of the object: a key that has no written form can't be named itself
 */
export function checkKey(key: string, path: Path = []): void {
  checkText(key, path);
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
