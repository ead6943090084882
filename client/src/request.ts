/** A request as it is sent, as often as need be. */
export interface Request {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
  /** Whether a second one can do no harm: a read, or a write under a key. */
  readonly isRepeatable: boolean;
}

/** Paths are made of ids: an empty one, from a variable that was never set, would name another path. */
export function path(texts: TemplateStringsArray, ...ids: readonly (string | number)[]): string {
  return texts.map((text, at) => (at === 0 ? text : `${segment(ids[at - 1])}${text}`)).join('');
}

function segment(id: string | number | null | undefined): string {
  if (id === undefined || id === null || id === '') throw new TypeError('An id is missing.');
  return encodeURIComponent(id);
}

/** `{ limit: 5, metadata: { team: 'a' } }` → `?limit=5&metadata[team]=a`; what is null or undefined is left out. */
export function queryText(query: object): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) parts.append(`${name}[${key}]`, String(inner));
    } else if (value !== undefined && value !== null) parts.append(name, String(value));
  }
  return parts.size === 0 ? '' : `?${parts}`;
}
