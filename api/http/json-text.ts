/** A list of more elements is written in steps. */
const MANY = 20;

/** How deep lists lie that may be long: the lines of the invoices of a page. */
const LEVELS = 4;

/**
 * The text that `JSON.stringify` makes of a response's body, in steps: a long list is written element by element.
 * Written as a whole, an invoice of ten thousand lines keeps all other requests waiting for a tenth of a second.
 *
 * @returns undefined where `JSON.stringify` makes no text
 */
export function* jsonText(value: unknown, levels = LEVELS): Generator<undefined, string | undefined> {
  if (!hasLongList(value, levels)) return JSON.stringify(value);
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const element of value) {
      texts.push((yield* jsonText(element, levels - 1)) ?? 'null');
      yield;
    }
    return `[${texts.join(',')}]`;
  }
  for (const [name, member] of Object.entries(value as object)) {
    const text = yield* jsonText(member, levels - 1);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

/** Whether a list of a body is so long that it is written in steps. */
export function hasLongList(value: unknown, levels = LEVELS): boolean {
  if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  if (Array.isArray(value) && value.length > MANY) return true;
  return Object.values(value).some((member) => hasLongList(member, levels - 1));
}
