import { checkKey } from './json.ts';
import { invalidField } from './problem.ts';

const BRACKETS = /^([^[\]]+)\[([^[\]]*)\]$/;

/**
 * A query string as the object its schema expects: `metadata[key]=value` becomes `{metadata: {key: value}}`.
 * A parameter given twice is refused, since either of the two could be meant.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const query = new Map<string, unknown>();
  if (text === '') return {};
  refuseBrokenEncoding(text);
  for (const [name, value] of new URLSearchParams(text)) {
    refuseNul(name, value);
    const [, base, key] = BRACKETS.exec(name) ?? [];
    if (base === undefined || key === undefined) put(query, name, value);
    else putInside(query, base, key, value);
  }
  return Object.fromEntries([...query].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]));
}

function put(query: Map<string, unknown>, name: string, value: unknown): void {
  if (query.has(name)) throw invalidField(name, 'is given twice');
  query.set(name, value);
}

function putInside(query: Map<string, unknown>, base: string, key: string, value: string): void {
  checkKey(key);
  const inside = query.get(base);
  if (inside instanceof Map) put(inside, key, value);
  else put(query, base, new Map([[key, value]]));
}

/** Postgres can't store NUL. A decoded query has no lone surrogates. */
function refuseNul(name: string, value: string): void {
  if (name.includes('\0')) throw invalidField('query', 'must not contain NUL characters');
  if (value.includes('\0')) throw invalidField(name, 'must not contain NUL characters');
}

function refuseBrokenEncoding(text: string): void {
  if (!text.includes('%')) return;
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField('query', 'must be percent-encoded UTF-8');
  }
}
